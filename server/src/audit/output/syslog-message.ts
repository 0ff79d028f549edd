import { jsonOf, type OutputLine } from './output-line.ts'

/** Facilities of RFC 5424 by name: those that a program can use. */
export const facilities: ReadonlyMap<string, number> = new Map([
  ['user', 1],
  ['daemon', 3],
  ['auth', 4],
  ['authpriv', 10],
  ['audit', 13],
  ...Array.from({ length: 8 }, (_, nth) => [`local${nth}`, 16 + nth] as const),
])

/** Severities of RFC 5424. */
const severities = { success: 6, denied: 5, failure: 4 } as const

export interface SyslogHeader {
  /** Number of the facility. */
  readonly facility: number
  readonly appName: string
  readonly hostName: string
  readonly processId: number
}

/** `<priority>`, from the facility and the result. */
export const priorityOf = ({ result }: OutputLine, facility: number): string => `<${facility * 8 + severities[result]}>`

/**
 * One message of RFC 5424, its text the JSON of the entry. The JSON is ASCII, because other text would have to begin
 * with a byte order mark, which most readers of JSON reject.
 */
export function syslogMessage(line: OutputLine, { facility, appName, hostName, processId }: SyslogHeader): string {
  const host = hostName.replaceAll(/[^!-~]/g, '').slice(0, 255) || '-'
  return `${priorityOf(line, facility)}1 ${line.at} ${host} ${appName} ${processId} ${line.action} - ${asciiJson(line)}`
}

/** RFC 6587, octet counting: each message after its length in bytes. */
export const octetCounted = (message: string): string => `${Buffer.byteLength(message)} ${message}`

/** The entry as JSON, with every other character escaped. */
export const asciiJson = (line: OutputLine): string =>
  jsonOf(line).replaceAll(/[^\0-~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
