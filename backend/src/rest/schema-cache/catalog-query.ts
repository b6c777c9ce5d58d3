// The queries that read everything the Data API needs from the catalog. $1 is the list of exposed schemas.
import type { Catalog } from './catalog-types.ts'

/** Domains with their base types, also for domains over domains: `domains (id, base)`. */
const DOMAINS = `
  domains as (
    select d.oid as id, d.typbasetype as base from pg_catalog.pg_type d where d.typtype = 'd'
    union all
    select domains.id, t.typbasetype from domains join pg_catalog.pg_type t on t.oid = domains.base where t.typtype = 'd'
  ),
  bases as (
    select domains.id, domains.base from domains join pg_catalog.pg_type t on t.oid = domains.base where t.typtype <> 'd'
  )`

/** Comments of any length are shown up to here, so that a long one costs no table its place in the cache. */
const commentOf = (comment: string, characters: number) => `left(${comment}, ${characters})`
const MOST_ENUM_VALUES = 1_000
const DEFAULT_CHARACTERS = 20_000

/** Role settings that any user may set, so that they can be applied after switching to the role. */
const ROLE_SETTINGS = `
  select rolname as role, split_part(setting, '=', 1) as name, substr(setting, strpos(setting, '=') + 1) as value
  from pg_catalog.pg_db_role_setting
  join pg_catalog.pg_roles on pg_roles.oid = setrole
  cross join unnest(setconfig) as setting
  where setdatabase in (0, (select oid from pg_catalog.pg_database where datname = current_database()))
    and split_part(setting, '=', 1) in (
      select name from pg_catalog.pg_settings where context = 'user'
    )
  order by setdatabase`

/** `alter role authenticator set pgrst.db_pre_request = 'schema.function'`, the database's own value first. The name is quoted. */
const PRE_REQUEST = `
  select (
      select string_agg(quote_ident(part), '.' order by place)
      from string_to_table(substr(setting, strpos(setting, '=') + 1), '.') with ordinality as t (part, place)
    ) as name
  from pg_catalog.pg_db_role_setting
  cross join unnest(setconfig) as setting
  where setrole = 'authenticator'::regrole and split_part(setting, '=', 1) = 'pgrst.db_pre_request'
    and setdatabase in (0, (select oid from pg_catalog.pg_database where datname = current_database()))
  order by setdatabase desc limit 1`

// pg_get_serial_sequence fails without privileges on the schema, and for a table that was just dropped.
const IDENTITY_DEFAULT = `(
            select format('nextval(%L::regclass)', format('%I.%I', sn.nspname, s.relname))
            from pg_catalog.pg_depend owned
            join pg_catalog.pg_class s on s.oid = owned.objid and s.relkind = 'S'
            join pg_catalog.pg_namespace sn on sn.oid = s.relnamespace
            where owned.classid = 'pg_class'::regclass and owned.deptype = 'i'
              and owned.refclassid = 'pg_class'::regclass and owned.refobjid = c.oid and owned.refobjsubid = a.attnum
          )`

const TABLES = `
  with recursive ${DOMAINS}
  select c.oid::int8 as id, n.nspname as schema, c.relname as name, c.relkind in ('v', 'm') as is_view,
    ${commentOf(`obj_description(c.oid, 'pg_class')`, 10_000)} as description,
    (c.relkind in ('r', 'p') or (c.relkind in ('v', 'f') and pg_relation_is_updatable(c.oid, true) & 8 = 8)) as insertable,
    (c.relkind in ('r', 'p') or (c.relkind in ('v', 'f') and pg_relation_is_updatable(c.oid, true) & 4 = 4)) as updatable,
    (c.relkind in ('r', 'p') or (c.relkind in ('v', 'f') and pg_relation_is_updatable(c.oid, true) & 16 = 16)) as deletable,
    (
      select json_agg(json_build_object(
        'number', a.attnum,
        'name', a.attname,
        'type', format_type(a.atttypid, a.atttypmod),
        'base', format_type(coalesce(b.base, t.oid), null),
        'nullable', not (a.attnotnull or t.typnotnull),
        'default', case
          when a.attidentity in ('a', 'd') then ${IDENTITY_DEFAULT}
          when a.attgenerated <> '' then null
          else (
            select text from coalesce(pg_get_expr(d.adbin, d.adrelid), t.typdefault) as text
            where length(text) <= ${DEFAULT_CHARACTERS}
          )
        end,
        'description', ${commentOf('col_description(c.oid, a.attnum)', 1_000)},
        'enumValues', (select json_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e where e.enumtypid = coalesce(b.base, t.oid) having count(*) <= ${MOST_ENUM_VALUES})
      ) order by a.attnum)
      from pg_catalog.pg_attribute a
      join pg_catalog.pg_type t on t.oid = a.atttypid
      left join bases b on b.id = t.oid
      left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ) as columns
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
    and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
    and n.nspname not like 'pg\\_temp\\_%'`

const KEYS = `
  select conrelid::int8 as table, conname as name, contype as kind, conkey as columns,
    nullif(confrelid, 0)::int8 as "otherTable", confkey as "otherColumns"
  from pg_catalog.pg_constraint
  where contype in ('p', 'u', 'f') and conparentid = 0
  order by conrelid, conname`

const VIEWS = `
  select r.ev_class::int8 as view, r.ev_action::text as definition
  from pg_catalog.pg_rewrite r
  join pg_catalog.pg_class c on c.oid = r.ev_class and c.relkind in ('v', 'm')
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where r.rulename = '_RETURN' and n.nspname not in ('pg_catalog', 'information_schema')`

/** Types that a parameter's declaration truncates, but whose values a function gets in full. */
const PARAMETER_TYPE = `case type
          when 'character'::regtype then 'character varying'
          when 'character[]'::regtype then 'character varying[]'
          when 'bit'::regtype then 'bit varying'
          when 'bit[]'::regtype then 'bit varying[]'
          else format_type(type, null)
        end`

const ROUTINES = `
  with recursive ${DOMAINS}
  select n.nspname as schema, p.proname as name, ${commentOf(`obj_description(p.oid, 'pg_proc')`, 10_000)} as description,
    p.provolatile as volatility, p.proretset as "isSet", format_type(rt.oid, null) as type, p.prorows as rows,
    p.prorettype = 'void'::regtype as "isVoid", p.prorettype = 'record'::regtype as "isRecord",
    (rt.typtype = 'c' or coalesce(p.proargmodes && '{t,b,o}'::"char"[], false)) as "isRow",
    (rn.nspname, rc.relname) is not null and rc.relkind <> 'c' as "returnsTable",
    rn.nspname as "returnsSchema", rc.relname as "returnsName",
    (select substr(setting, 19) from unnest(p.proconfig) as setting where setting like 'statement_timeout=%') as "statementTimeout",
    (
      select coalesce(json_agg(json_build_object(
        'name', coalesce(p.proargnames[position], ''),
        'type', ${PARAMETER_TYPE},
        'base', format_type(coalesce((select base from bases where id = type), type), null),
        'required', input_position <= p.pronargs - p.pronargdefaults,
        'variadic', mode = 'v',
        'table', (select c.oid::int8 from pg_catalog.pg_class c join pg_catalog.pg_type t on t.typrelid = c.oid where t.oid = type and c.relkind <> 'c')
      ) order by position), '[]')
      from (
        select position, type, coalesce(p.proargmodes[position], 'i') as mode,
          row_number() over (order by position) as input_position
        from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as arguments (type, position)
        where coalesce(p.proargmodes[position], 'i') in ('i', 'b', 'v')
      ) as inputs
    ) as parameters,
    case
      when rc.oid is not null then (
        select coalesce(json_agg(json_build_object(
          'name', a.attname, 'type', format_type(a.atttypid, null), 'base', format_type(a.atttypid, null)
        ) order by a.attnum), '[]')
        from pg_catalog.pg_attribute a where a.attrelid = rc.oid and a.attnum > 0 and not a.attisdropped
      )
      else (
        select coalesce(json_agg(json_build_object(
          'name', p.proargnames[position], 'type', format_type(type, null), 'base', format_type(type, null)
        ) order by position), '[]')
        from unnest(p.proallargtypes) with ordinality as arguments (type, position)
        where p.proargmodes[position] in ('t', 'b', 'o')
      )
    end as columns
  from pg_catalog.pg_proc p
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  join pg_catalog.pg_type t on t.oid = p.prorettype
  left join bases b on b.id = t.oid
  join pg_catalog.pg_type rt on rt.oid = coalesce(b.base, t.oid)
  left join pg_catalog.pg_class rc on rc.oid = rt.typrelid
  left join pg_catalog.pg_namespace rn on rn.oid = rc.relnamespace
  where n.nspname = any ($1) and p.prokind = 'f'
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)`

const SCHEMAS = `
  select nspname as name, ${commentOf(`obj_description(oid, 'pg_namespace')`, 10_000)} as description
  from pg_catalog.pg_namespace where nspname = any ($1)`

/** One query per part of the catalog. */
export const CATALOG_QUERIES = {
  tables: TABLES,
  keys: KEYS,
  views: VIEWS,
  routines: ROUTINES,
  roleSettings: ROLE_SETTINGS,
  preRequest: PRE_REQUEST,
  schemas: SCHEMAS,
} as const satisfies Record<keyof Catalog, string>
