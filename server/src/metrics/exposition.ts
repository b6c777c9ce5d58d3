// The text format that Prometheus reads, version 0.0.4.

export type Sample = { labels?: Record<string, string>; suffix?: string; value: number }
export type Metric = {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  samples: Sample[]
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** A metric without samples is left out: nobody knows it. */
export function exposition(metrics: Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(
      ({ name, help, type, samples }) =>
        `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.map((each) => line(name, each)).join('')}`,
    )
    .join('')
}

/** One value; null if nobody knows it. */
export function gauge(name: string, help: string, value: number | null): Metric {
  return { name, help, type: 'gauge', samples: value === null ? [] : [{ value }] }
}

function line(name: string, { labels = {}, suffix = '', value }: Sample): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escape(text)}"`)
  return `${name}${suffix}${pairs.length ? `{${pairs.join(',')}}` : ''} ${value}\n`
}

const escape = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
