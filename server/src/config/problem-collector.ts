import type { Problem } from '../shared/errors.ts'
import type { ConfigProblem } from './problem-codes.ts'

/** The way to a key, from the top. Numbers are places in a list, from 0. */
export type Path = readonly (string | number)[]

/** Where something stands in the file; both start at 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** Collects all that is wrong with a configuration, each with its place. */
export interface ProblemCollector {
  /**
   * One problem for a key is enough: a second one of the same key is dropped.
   *
   * @param shown the way to show instead, where a name on it may be a secret
   */
  readonly problem: (path: Path, what: ConfigProblem, shown?: Path) => void
  /** Something that is allowed, and probably not meant. */
  readonly warning: (path: Path, what: ConfigProblem) => void
  /** Something wrong at a place that is no key. */
  readonly flaw: (place: Place, what: ConfigProblem) => void
  readonly put: (path: Path, place: Place) => void
  readonly placeOf: (path: Path) => Place | undefined
  readonly problems: () => Problem[]
  readonly warnings: () => Problem[]
}

/** Stands for a text that may be a secret. */
export const hidden = '…'

/** It may be an address with a password in it. Such a text is shown nowhere, whatever key it was written at. */
export const mayBeAddress = (text: string): boolean => /:\/\/|@/.test(text)

/** A word, a number or an IP address: what a name may be, and no password is. */
export const isPlainName = (text: string): boolean =>
  text.length <= 64 &&
  (/^[A-Za-z._<-]+$/.test(text) || /^[0-9.]+(\/\d+)?$/.test(text) || /^[0-9a-f:]*:[0-9a-f:.]*(\/\d+)?$/i.test(text))

/** A text of a section with a secret key, where it cannot be that secret at the wrong key. */
export const nameOrHidden = (text: string): string => (isPlainName(text) ? text : hidden)

/** A text as a message shows it that may not show a secret. */
export const shownText = (text: string): string => (mayBeAddress(text) ? hidden : text)

/** `auth.roles.guard`, `auth.trusted_proxies[0]`; names that could be misread are in quotes. */
export function fieldOf(path: Path): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`
      const name = part === hidden || /^[A-Za-z0-9_-]{1,64}$/.test(part) ? part : quoted(part)
      return index === 0 ? name : `.${name}`
    })
    .join('')
}

/** A text in quotes: cut where it is long, hidden where it may be an address, and with nothing in it that a log would act on. */
export function quoted(whole: string, max = 64): string {
  const text = shownText(whole)
  const cut = text.length > max ? `${text.slice(0, max)}…` : text
  return JSON.stringify(cut).replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Tells paths apart, also those that are shown alike. */
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

/** `config.yml:3:5 auth.session_length: …`, a line each. */
export const problemLines = (file: string, problems: readonly Problem[]): string[] =>
  problems.map(({ line, column, field, message }) => {
    const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`
    return `${place} ${field === '' ? '' : `${field}: `}${message}`
  })
