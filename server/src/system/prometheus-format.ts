/** A value with the labels that distinguish it within its metric. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

export interface Metric {
  /** A counter only increases, and its name ends in `_total`. */
  readonly type: 'counter' | 'gauge'
  readonly name: string
  readonly help: string
  /** Without samples, the metric is left out. */
  readonly samples: readonly Sample[]
}

export const prometheusType = 'text/plain; version=0.0.4; charset=utf-8'

/** Formats metrics in the Prometheus text format 0.0.4. */
export const prometheusText = (metrics: readonly Metric[]): string =>
  metrics
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ type, name, help, samples }) => [
      `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n`,
      `# TYPE ${name} ${type}\n`,
      ...samples.map(({ labels = {}, value }) => `${name}${labelsText(labels)} ${valueText(value)}\n`),
    ])
    .join('')

function labelsText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

function valueText(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}
