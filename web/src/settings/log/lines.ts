import type { LogLines } from '../../../../server/src/system/system.routes.ts'

export type LogLine = LogLines['lines'][number]

/** A line with what tells it from others of the same moment. */
export interface KeyedLine extends LogLine {
  readonly key: string
}

/** The same line has the same key when older ones are gone from the front. */
export function keyed(lines: readonly LogLine[]): KeyedLine[] {
  const seen = new Map<string, number>()
  return lines
    .map((line) => {
      const same = `${line.at} ${line.logger} ${line.message}`
      const count = (seen.get(same) ?? 0) + 1
      seen.set(same, count)
      return { same, count, line }
    })
    .map(({ same, count, line }) => ({ ...line, key: `${same} ${(seen.get(same) ?? 0) - count}` }))
}

/** Each logger and those above it, as `service` and `service.http`. */
export function loggersIn(lines: readonly LogLine[]): string[] {
  const names = lines.flatMap(({ logger }) => logger.split('.').map((_, at, parts) => parts.slice(0, at + 1).join('.')))
  return [...new Set(names)].sort()
}

/** Those that hold the text anywhere, in their fields too. */
export function holding<T extends LogLine>(lines: readonly T[], text: string): readonly T[] {
  const requested = text.trim().toLowerCase()
  if (requested === '') return lines
  return lines.filter(({ message, logger, fields }) =>
    `${logger} ${message} ${JSON.stringify(fields)}`.toLowerCase().includes(requested),
  )
}

/** As one would paste it into a report. */
export function lineText({ at, level, logger, message, fields }: LogLine): string {
  const more = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : ''
  return `${at} ${level.toUpperCase()} ${logger}: ${message}${more}`
}
