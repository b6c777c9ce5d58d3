// Splits a SQL script into statements, without leading comments.

/** A statement up to and including its semicolon. */
export type Statement = { text: string; creates: Creation | null }

/** What a `create` statement creates; `parent` is the table of an index, trigger or policy. */
export type Creation = { kind: string; name: string; parent: string | null }

// A semicolon does not end a statement in comments, quotes and dollar-quoted bodies.
const TOKENS = /--[^\n]*|'[^']*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|;/g

export function splitStatements(script: string): Statement[] {
  const statements: Statement[] = []
  let start = 0
  for (const token of script.matchAll(TOKENS)) {
    if (token[0] !== ';') continue
    const text = script.slice(start, token.index + 1).replace(/^(\s|--[^\n]*\n)*/, '')
    statements.push({ text, creates: readCreation(text) })
    start = token.index + 1
  }
  return statements
}

const NAME = String.raw`("[^"]+"|\w+)(?:\.("[^"]+"|\w+))?`
const CREATE = new RegExp(
  String.raw`^create (?:or replace )?(?:unique )?(extension|schema|type|table|view|function|index|trigger|policy) ` +
    `(?:if not exists )?(${NAME})`,
)
const ON_TABLE = /\son ([\w.]+)/

function readCreation(text: string): Creation | null {
  const [, kind, name] = CREATE.exec(text) ?? []
  if (!kind || !name) return null
  const hasParent = kind === 'index' || kind === 'trigger' || kind === 'policy'
  return { kind, name, parent: hasParent ? (ON_TABLE.exec(text)?.[1] ?? null) : null }
}
