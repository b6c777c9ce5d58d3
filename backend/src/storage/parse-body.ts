import * as v from 'valibot'
import { FIRST_ISSUE } from '#http/bounded.ts'
import type { Context } from '#http/context.ts'
import { storageErrors } from './errors.ts'
import { readJson } from './request-body.ts'
import { rejectUnsupportedBody } from './unsupported.ts'

/** Parses and validates a JSON body. @throws InvalidRequest with the first issue, NotSupported */
export async function parseBody<S extends v.GenericSchema>(
  schema: S,
  request: Request,
  context: Pick<Context, 'caller' | 'holdBody'>,
): Promise<v.InferOutput<S>> {
  const body = await readJson(request, context)
  rejectUnsupportedBody(body)
  return check(schema, body)
}

/** Validates query parameters. @throws InvalidRequest with the first issue */
export function parseQuery<S extends v.GenericSchema>(
  schema: S,
  request: Request,
): v.InferOutput<S> {
  return check(schema, Object.fromEntries(new URL(request.url).searchParams))
}

function check<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, input, FIRST_ISSUE)
  if (result.success) return result.output
  const [issue] = result.issues
  throw storageErrors.invalidRequest(`${v.getDotPath(issue) ?? 'body'}: ${issue.message}`)
}
