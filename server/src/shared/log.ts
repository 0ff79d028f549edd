import { pino, stdTimeFunctions, type Level } from 'pino'
import { Writable } from 'node:stream'

/** A named logger. `fields` become members of the line; text from outside goes into `fields`, never into `message`. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  /** Whether a line of this level would be written, to avoid the work of building one. */
  enabled(level: LogLevel): boolean
}

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/** `default` and levels by logger name (`logger` in the configuration). */
export interface LogLevels {
  readonly default: LogLevel
  readonly logs: ReadonlyMap<string, LogLevel>
}

/** A line as returned by `/api/logs`. */
export interface LogLine {
  /** RFC 3339, UTC. */
  readonly at: string
  readonly level: LogLevel
  readonly logger: string
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

export interface Logs {
  named(name: string): Log
  /** Applies to every logger from the next line. */
  setLevels(levels: LogLevels): void
  /** The newest lines kept in memory, oldest first. */
  recent(): readonly LogLine[]
}

/** Lines kept in memory for `/api/logs`. */
const kept = 1000

/** Creates loggers that write readable text to a terminal, and JSON otherwise. */
export async function createLogs(output: NodeJS.WritableStream & { isTTY?: boolean }): Promise<Logs> {
  const lines: LogLine[] = []
  // A closed pipe or a full disk must not stop the service.
  output.on('error', () => {})
  const destination = output.isTTY
    ? (await import('pino-pretty')).default({ destination: output, ignore: 'pid,hostname', sync: true })
    : output
  const both = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const text = escaped(chunk.toString())
      destination.write(output.isTTY ? forTerminal(text) : text)
      lines.push(lineFrom(text))
      if (lines.length > kept) lines.shift()
      done()
    },
  })
  const root = pino(
    {
      level: 'debug',
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    both,
  )
  const loggers = new Map<string, pino.Logger>()
  let levels: LogLevels = { default: 'info', logs: new Map() }
  const levelOf = (name: string): Level => levels.logs.get(name) ?? levels.default

  const loggerNamed = (name: string): pino.Logger => {
    let logger = loggers.get(name)
    if (!logger) {
      logger = root.child({ logger: name }, { level: levelOf(name) })
      loggers.set(name, logger)
    }
    return logger
  }

  return {
    named(name) {
      const logger = loggerNamed(name)
      return {
        debug: (fields, message) => logger.debug(fields, message),
        info: (fields, message) => logger.info(fields, message),
        warn: (fields, message) => logger.warn(fields, message),
        error: (fields, message) => logger.error(fields, message),
        enabled: (level) => logger.isLevelEnabled(level),
      }
    },
    setLevels(next) {
      levels = next
      for (const [name, logger] of loggers) logger.level = levelOf(name)
    },
    recent: () => lines,
  }
}

/**
 * Escapes characters that JSON leaves as they are, but a terminal or a log reader interprets: the other control
 * characters, line and paragraph separators, changes of direction.
 */
const escaped = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Escapes the text for a printer that unescapes JSON: only quotes, backslashes, tabs and line ends are still unescaped. */
const forTerminal = (json: string): string =>
  json.replace(/\\(?:["\\/nt]|u[\da-f]{4}|[bfr])/gi, (escape) => (/^\\["\\/nt]/.test(escape) ? escape : `\\${escape}`))

function lineFrom(text: string): LogLine {
  const { time, level, logger, msg, ...fields } = JSON.parse(text) as Record<string, unknown>
  return { at: String(time), level: level as LogLevel, logger: String(logger), message: String(msg), fields }
}
