import { formatList } from '#lib/i18n/format-list.ts'
import { formatLocale } from '#lib/i18n/format-locale.ts'
import { formatMoment } from '#lib/i18n/format-moment.ts'
import type { Finding } from './system-queries.ts'

const GIGABYTE = 1024 ** 3
const MEGABYTE = 1024 ** 2

export type Figures = ReturnType<typeof figuresOf>

/** The figures of a finding, ready for its sentence. One that is missing is 0, or an empty text. */
export function figuresOf({ part, detail, scope }: Finding) {
  const all = (detail ?? {}) as Record<string, unknown>
  const text = (name: string) => (typeof all[name] === 'string' ? all[name] : '')
  const figure = (name: string) => (typeof all[name] === 'number' ? all[name] : 0)
  const list = (name: string) => (Array.isArray(all[name]) ? formatList(all[name].map(String)) : '')
  return {
    part,
    count: figure('count'),
    host: scope ?? '',
    text,
    figure,
    list,
    has: (name: string) => all[name] !== undefined,
    moment: (name: string) => (text(name) ? formatMoment(text(name)) : ''),
    day: (name: string) => (text(name) ? formatDay(text(name)) : ''),
    size: (name: string) => formatSize(figure(name)),
    percent: (name: string) => formatPercent(figure(name)),
    seconds: (name: string) => formatSeconds(Math.abs(figure(name))),
  }
}

function formatDay(at: string): string {
  return new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'long' }).format(new Date(at))
}

function formatSize(bytes: number): string {
  const isLarge = bytes >= GIGABYTE
  return new Intl.NumberFormat(formatLocale(), {
    style: 'unit',
    unit: isLarge ? 'gigabyte' : 'megabyte',
    maximumFractionDigits: isLarge ? 1 : 0,
  }).format(bytes / (isLarge ? GIGABYTE : MEGABYTE))
}

function formatPercent(percent: number): string {
  return new Intl.NumberFormat(formatLocale(), { style: 'percent' }).format(percent / 100)
}

function formatSeconds(seconds: number): string {
  return new Intl.NumberFormat(formatLocale(), { maximumSignificantDigits: 2 }).format(seconds)
}
