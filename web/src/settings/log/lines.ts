import type { LogLines } from '../../../../server/src/api-types.ts'

export type LogLine = LogLines['lines'][number]

/** A log line with a key that is unique even among lines of the same time. */
export interface KeyedLine extends LogLine {
  readonly key: string
}

/** Adds keys that stay the same when older lines drop off the front. */
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

/** Each logger and its parents, for example `service` and `service.http`. */
export function loggersIn(lines: readonly LogLine[]): string[] {
  const names = lines.flatMap(({ logger }) => logger.split('.').map((_, at, parts) => parts.slice(0, at + 1).join('.')))
  return [...new Set(names)].sort()
}

/** The lines that contain the text, in their fields too. */
export function holding<T extends LogLine>(lines: readonly T[], text: string): readonly T[] {
  const requested = text.trim().toLowerCase()
  if (requested === '') return lines
  return lines.filter(({ message, logger, fields }) =>
    `${logger} ${message} ${JSON.stringify(fields)}`.toLowerCase().includes(requested),
  )
}

/** A line as plain text, to paste into a report. */
export function lineText({ at, level, logger, message, fields }: LogLine): string {
  const more = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : ''
  return `${at} ${level.toUpperCase()} ${logger}: ${message}${more}`
}
