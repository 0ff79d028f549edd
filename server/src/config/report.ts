import type { Problem } from '../shared/errors.ts'
import type { ConfigProblem } from './problems.ts'

/** The way to a key, from the top. Numbers are places in a list, from 0. */
export type Path = readonly (string | number)[]

/** Where something stands in the file; both start at 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** Collects all that is wrong with a configuration, each with its place. */
export interface Report {
  /** One problem for a key is enough: a second one of the same key is dropped. */
  readonly problem: (path: Path, what: ConfigProblem) => void
  /** Something that is allowed, and probably not meant. */
  readonly warning: (path: Path, what: ConfigProblem) => void
  /** Something wrong at a place that is no key. */
  readonly flaw: (place: Place, what: ConfigProblem) => void
  readonly put: (path: Path, place: Place) => void
  readonly placeOf: (path: Path) => Place | undefined
  readonly problems: () => Problem[]
  readonly warnings: () => Problem[]
}

/** `auth.roles.guard`, `auth.trusted_proxies[0]`; names that could be misread stand in quotes. */
export function fieldOf(path: Path): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`
      const name = /^[A-Za-z0-9_-]{1,64}$/.test(part) ? part : quoted(part)
      return index === 0 ? name : `.${name}`
    })
    .join('')
}

/** A text in quotes: cut where it is long, and with nothing in it that a terminal or a log would act on. */
export function quoted(text: string, most = 64): string {
  const cut = text.length > most ? `${text.slice(0, most)}…` : text
  return JSON.stringify(cut).replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const inOrder = (list: readonly Problem[]): Problem[] =>
  list.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))

export function createReport(): Report {
  const problems: Problem[] = []
  const warnings: Problem[] = []
  const places = new Map<string, Place>()
  const faulty = new Set<string>()

  const placeOf = (path: Path): Place | undefined => {
    for (let length = path.length; length >= 0; length -= 1) {
      const place = places.get(fieldOf(path.slice(0, length)))
      if (place) return place
    }
    return undefined
  }
  return {
    problem(path, what) {
      const field = fieldOf(path)
      if (faulty.has(field)) return
      faulty.add(field)
      problems.push({ field, ...what, ...placeOf(path) })
    },
    warning: (path, what) => void warnings.push({ field: fieldOf(path), ...what, ...placeOf(path) }),
    flaw: (place, what) => void problems.push({ field: '', ...what, ...place }),
    put: (path, place) => void places.set(fieldOf(path), place),
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
