// A function can set `response.status` and `response.headers`, which override ours.
import * as v from 'valibot'
import { restErrors } from '#rest/errors.ts'
import type { QueryOutcome } from '#rest/query/run-query.ts'
import { sendableHeaders } from './given-headers.ts'

const GivenHeaders = v.array(v.record(v.string(), v.string()))

export function applyResponseGucs(
  outcome: QueryOutcome,
  status: number,
  headers: [string, string][],
): { status: number; headers: [string, string][] } {
  if (outcome.headers === null && outcome.status === null) return { status, headers }
  return {
    status: outcome.status === null ? status : parseStatus(outcome.status),
    headers:
      outcome.headers === null ? headers : replaceHeaders(headers, parseHeaders(outcome.headers)),
  }
}

function parseStatus(text: string): number {
  const status = Number(text)
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw restErrors.invalidResponseStatus()
  return status
}

function parseHeaders(text: string): [string, string][] {
  let given: v.InferOutput<typeof GivenHeaders>
  try {
    given = v.parse(GivenHeaders, JSON.parse(text))
  } catch {
    throw restErrors.invalidResponseHeaders()
  }
  const headers = sendableHeaders(given.flatMap((each) => Object.entries(each)))
  if (given.some((each) => Object.keys(each).length !== 1) || headers === null) {
    throw restErrors.invalidResponseHeaders()
  }
  return headers
}

function replaceHeaders(ours: [string, string][], given: [string, string][]): [string, string][] {
  const names = new Set(given.map(([name]) => name.toLowerCase()))
  return [...ours.filter(([name]) => !names.has(name)), ...given]
}
