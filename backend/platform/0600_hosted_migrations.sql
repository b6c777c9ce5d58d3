-- What migrations that were written for a hosted project may change there: settings of the login that the Data API uses,
-- and the publication that `postgres_changes` reads. Both have no effect here; see docs/protocol.md.

-- Lets the project's owner alter the login without ever becoming it. Before Postgres 16, CREATEROLE is enough.
do $$
begin
  if current_setting('server_version_num')::int >= 160000 then
    -- Postgres 15 refuses to read this.
    execute 'grant authenticator to postgres with admin true, inherit false, set false';
  end if;
end
$$;

do $$
declare
  setting text;
begin
  foreach setting in array array[
    'db_aggregates_enabled', 'db_anon_role', 'db_extra_search_path', 'db_hoisted_tx_settings', 'db_max_rows',
    'db_plan_enabled', 'db_pre_config', 'db_pre_request', 'db_prepared_statements', 'db_root_spec', 'db_schemas',
    'db_tx_end', 'jwt_aud', 'jwt_cache_max_entries', 'jwt_cache_max_lifetime', 'jwt_role_claim_key', 'jwt_secret',
    'jwt_secret_is_base64', 'openapi_mode', 'openapi_security_active', 'openapi_server_proxy_uri',
    'server_cors_allowed_origins', 'server_timing_enabled', 'server_trace_header'
  ] loop
    execute format('grant set on parameter %I.%I to postgres', 'pgrst', setting);
  end loop;
end
$$;

do $$
begin
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end
$$;
alter publication supabase_realtime owner to postgres;
