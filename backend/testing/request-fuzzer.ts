// Generates malformed requests: valid ones with parts swapped, duplicated, cut, or replaced by input that breaks
// parsers. The same seed generates the same requests.

import { RandomChoice } from './random-choice.ts'
import { ACCEPTS, PREFERENCES, TYPES } from './request-header-words.ts'
import {
  AGGREGATES,
  BODIES,
  CASTS,
  COLUMNS,
  EMBEDS,
  FUNCTIONS,
  OPERATORS,
  PATHS,
  TABLES,
  VALUES,
} from './request-words.ts'

export type FuzzedRequest = {
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
}

export class RequestFuzzer {
  private readonly random: RandomChoice

  constructor(seed: number) {
    this.random = new RandomChoice(seed)
  }

  next(): FuzzedRequest {
    const isFunction = this.random.chance(0.2)
    const target = isFunction ? `/rpc/${this.random.one(FUNCTIONS)}` : `/${this.random.one(TABLES)}`
    const method = this.random.one([
      'GET',
      'GET',
      'GET',
      'POST',
      'PATCH',
      'DELETE',
      'PUT',
      'HEAD',
      ...(this.random.chance(0.05) ? ['BREW'] : []),
    ])
    const pairs = Array.from({ length: this.random.count(5) }, () => this.pair())
    const query = this.mutate(pairs.join('&'))
    const headers: Record<string, string> = {
      'content-type': this.random.chance(0.7) ? 'application/json' : this.random.one(TYPES),
    }
    if (this.random.chance(0.4)) headers.accept = this.random.one(ACCEPTS)
    if (this.random.chance(0.5))
      headers.prefer = [this.random.one(PREFERENCES), this.random.one(PREFERENCES)].join(', ')
    if (this.random.chance(0.1))
      headers.range = this.random.one(['0-1', '5-2', '-', '-5', 'a-b', '1-', '999999999999999999-'])
    if (this.random.chance(0.05))
      headers[method === 'GET' ? 'accept-profile' : 'content-profile'] = this.random.one([
        'public',
        'auth',
        "'",
        '',
      ])
    const path = this.random.chance(0.02)
      ? this.random.one(['', '/', '//', '/a/b/c', '/rpc', '/rpc/', '/%'])
      : target
    const body =
      method === 'GET' || method === 'HEAD' ? undefined : this.mutate(this.random.one(BODIES))
    return { method, path: `${path}${query === '' ? '' : `?${query}`}`, headers, body }
  }

  private pair(): string {
    const roll = this.random.number()
    if (roll < 0.3) return `select=${this.items(0)}`
    if (roll < 0.6)
      return `${this.embedPrefix()}${this.field()}=${this.random.one(OPERATORS)}.${this.random.one(VALUES)}`
    if (roll < 0.7)
      return `${this.embedPrefix()}${this.random.one(['or', 'and', 'not.or', 'not.and'])}=${this.tree(0)}`
    if (roll < 0.8) return `${this.embedPrefix()}order=${this.order()}`
    if (roll < 0.86)
      return `${this.embedPrefix()}${this.random.one(['limit', 'offset'])}=${this.random.one(['0', '1', '2', '-1', '9999999999999999999', 'x', '', '1.5', '1e3'])}`
    if (roll < 0.9) return `columns=${this.random.one(COLUMNS)},${this.random.one(COLUMNS)}`
    if (roll < 0.93) return `on_conflict=${this.random.one(COLUMNS)}`
    return `${this.random.one([...COLUMNS, 'a', 'b', 'numbers', 'director', 'up_to'])}=${this.random.one(VALUES)}`
  }

  private items(depth: number): string {
    const count = 1 + this.random.count(3)
    return Array.from({ length: count }, () => {
      if (depth < 3 && this.random.chance(0.3)) {
        return `${this.random.one(EMBEDS)}${this.random.one(['', '', '!inner', '!left', '!nothing'])}(${this.items(depth + 1)})`
      }
      return `${this.random.one(['', '', '', 'x:', '"y z":', ':'])}${this.field()}${this.random.one(CASTS)}${this.random.one(AGGREGATES)}`
    }).join(',')
  }

  private tree(depth: number): string {
    const count = 1 + this.random.count(2)
    const branches = Array.from({ length: count }, () =>
      depth < 3 && this.random.chance(0.3)
        ? `${this.random.one(['and', 'or', 'not.and'])}${this.tree(depth + 1)}`
        : `${this.field()}.${this.random.one(OPERATORS)}.${this.random.one(VALUES)}`,
    )
    return `(${branches.join(',')})`
  }

  private order(): string {
    return `${this.random.chance(0.2) ? `${this.random.one(EMBEDS)}(${this.field()})` : this.field()}${this.random.one(['', '.asc', '.desc', '.up', '.desc.nullslast', '.nullsfirst', '.asc.asc'])}`
  }

  private embedPrefix(): string {
    return this.random.chance(0.2) ? `${this.random.one(EMBEDS)}.` : ''
  }

  private field(): string {
    return this.random.one(COLUMNS) + this.random.one(PATHS)
  }

  /** Sometimes deletes, inserts, truncates or replaces part of the text. */
  private mutate(text: string): string {
    if (text === '' || this.random.chance(0.6)) return text
    const at = this.random.count(text.length)
    const roll = this.random.number()
    if (roll < 0.3) return text.slice(0, at) + text.slice(at + 1)
    if (roll < 0.6) return text.slice(0, at) + this.random.one(VALUES) + text.slice(at)
    if (roll < 0.8) return text.slice(0, at)
    const code = this.random.count(0x2fff)
    return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1)
  }
}
