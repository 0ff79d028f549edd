import type { Problem } from '../shared/errors.ts'
import type { ConfigProblem } from './problem-codes.ts'

/** Path of a key, from the top. Numbers are list indexes, from 0. */
export type Path = readonly (string | number)[]

/** A position in the file; both numbers start at 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** Collects all problems of a configuration with their positions. */
export interface ProblemCollector {
  /**
   * Reports a problem. A second problem of the same key is dropped.
   *
   * @param shown path to show instead, if a name in the path may be a secret
   */
  readonly problem: (path: Path, what: ConfigProblem, shown?: Path) => void
  /** Reports an allowed value that is probably a mistake. */
  readonly warning: (path: Path, what: ConfigProblem) => void
  /** Reports a problem at a position that is not a key. */
  readonly flaw: (place: Place, what: ConfigProblem) => void
  readonly put: (path: Path, place: Place) => void
  readonly placeOf: (path: Path) => Place | undefined
  readonly problems: () => Problem[]
  readonly warnings: () => Problem[]
}

/** Replaces a text that may be a secret. */
export const hidden = '…'

/** Whether a text may be a URL with a password. Such a text is never shown, whatever its key. */
export const mayBeAddress = (text: string): boolean => /:\/\/|@/.test(text)

/** Whether a text is a word, a number or an IP address: possible as a name, never as a password. */
export const isPlainName = (text: string): boolean =>
  text.length <= 64 &&
  (/^[A-Za-z._<-]+$/.test(text) || /^[0-9.]+(\/\d+)?$/.test(text) || /^[0-9a-f:]*:[0-9a-f:.]*(\/\d+)?$/i.test(text))

/** A text in a section with a secret key: hidden, unless it cannot be that secret. */
export const nameOrHidden = (text: string): string => (isPlainName(text) ? text : hidden)

/** A text as a message can quote it, without secrets. */
export const shownText = (text: string): string => (mayBeAddress(text) ? hidden : text)

/** Formats a path: `auth.roles.guard`, `auth.trusted_proxies[0]`; ambiguous names are in quotes. */
export function fieldOf(path: Path): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`
      const name = part === hidden || /^[A-Za-z0-9_-]{1,64}$/.test(part) ? part : quoted(part)
      return index === 0 ? name : `.${name}`
    })
    .join('')
}

/** Quotes a text: long texts are cut, possible URLs hidden, and control characters escaped. */
export function quoted(whole: string, max = 64): string {
  const text = shownText(whole)
  const cut = text.length > max ? `${text.slice(0, max)}…` : text
  return JSON.stringify(cut).replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A unique key for each path, even if two paths are shown alike. */
const keyOf = (path: Path): string => JSON.stringify(path)

const inOrder = (list: readonly Problem[]): Problem[] =>
  list.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))

export function createReport(): ProblemCollector {
  const problems: Problem[] = []
  const warnings: Problem[] = []
  const places = new Map<string, Place>()
  const faulty = new Set<string>()

  const placeOf = (path: Path): Place | undefined => {
    for (let length = path.length; length >= 0; length -= 1) {
      const place = places.get(keyOf(path.slice(0, length)))
      if (place) return place
    }
    return undefined
  }
  return {
    problem(path, what, shown = path) {
      const key = keyOf(path)
      if (faulty.has(key)) return
      faulty.add(key)
      problems.push({ field: fieldOf(shown), ...what, ...placeOf(path) })
    },
    warning: (path, what) => void warnings.push({ field: fieldOf(path), ...what, ...placeOf(path) }),
    flaw: (place, what) => void problems.push({ field: '', ...what, ...place }),
    put: (path, place) => void places.set(keyOf(path), place),
    placeOf,
    problems: () => inOrder(problems),
    warnings: () => inOrder(warnings),
  }
}

/** One line per problem: `config.yml:3:5 auth.session_length: …`. */
export const problemLines = (file: string, problems: readonly Problem[]): string[] =>
  problems.map(({ line, column, field, message }) => {
    const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`
    return `${place} ${field === '' ? '' : `${field}: `}${message}`
  })
