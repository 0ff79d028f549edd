import type { AnyCodedMessage } from '../shared/messages/coded-message.ts'
import type { Problem } from '../shared/errors.ts'

/** Path of a key, from the top. Numbers are list indexes, from 0. */
export type Path = readonly (string | number)[]

/** A position in the file; both numbers start at 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** Collects all problems of a configuration with their positions. `What`: the problems that a section can have. */
export interface ProblemCollector<What extends AnyCodedMessage = AnyCodedMessage> {
  /**
   * Reports a problem. A second problem of the same key is dropped.
   *
   * @param shown path to show instead, if a name in the path may be a secret
   */
  readonly problem: (path: Path, what: What, shown?: Path) => void
  /** Reports a key whose name is the problem. */
  readonly wrongKey: (path: Path, what: What, shown: Path) => void
  /** Reports an allowed value that is probably a mistake. */
  readonly warning: (path: Path, what: What) => void
  /** Reports a problem at a position that is not a key. */
  readonly problemAt: (place: Place, what: What) => void
  /** Whether further problems are dropped. */
  readonly isFull: () => boolean
  readonly problems: () => Problem[]
  readonly warnings: () => Problem[]
}

/** What the checks of a section use of the collector. */
export type SectionReport<What extends AnyCodedMessage> = Pick<ProblemCollector<What>, 'problem' | 'warning'>

/** More than anyone reads. A document can have more problems than it has lines. */
export const maxProblems = 200

/** Replaces a text that may be a secret. */
export const hidden = '…'

/** Whether a text may be a URL with a password. Such a text is never shown, whatever its key. */
export const looksLikeUrl = (text: string): boolean => /:\/\/|@/.test(text)

/** Whether a text is a word, a number or an IP address: possible as a name, never as a password. */
export const isPlainName = (text: string): boolean =>
  text.length <= 64 &&
  (/^[A-Za-z._<-]+$/.test(text) || /^[0-9.]+(\/\d+)?$/.test(text) || /^[0-9a-f:]*:[0-9a-f:.]*(\/\d+)?$/i.test(text))

/** A text in a section with a secret key: hidden, unless it cannot be that secret. */
export const nameOrHidden = (text: string): string => (isPlainName(text) ? text : hidden)

/** A text as a message can quote it, without secrets. */
export const shownText = (text: string): string => (looksLikeUrl(text) ? hidden : text)

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

/**
 * @param more follows the last problem that is shown, if there are more
 * @param locate positions of a path's value and name; undefined without a document
 */
export function createReport(
  more: AnyCodedMessage,
  locate?: (path: Path) => { readonly place: Place; readonly name: Place },
): ProblemCollector {
  const problems: Problem[] = []
  const warnings: Problem[] = []
  const faulty = new Set<string>()

  function push(problem: Problem): void {
    // One more than are shown, to know that there are more.
    if (problems.length <= maxProblems) problems.push(problem)
  }

  function add(path: Path, what: AnyCodedMessage, shown: Path, place: Place | undefined): void {
    const key = keyOf(path)
    if (faulty.has(key)) return
    faulty.add(key)
    push({ field: fieldOf(shown), ...what, ...place })
  }
  return {
    problem: (path, what, shown = path) => add(path, what, shown, locate?.(path).place),
    wrongKey: (path, what, shown) => add(path, what, shown, locate?.(path).name),
    warning: (path, what) => void warnings.push({ field: fieldOf(path), ...what, ...locate?.(path).place }),
    problemAt: (place, what) => push({ field: '', ...what, ...place }),
    isFull: () => problems.length > maxProblems,
    problems: () => {
      if (problems.length <= maxProblems) return inOrder(problems)
      return [...inOrder(problems).slice(0, maxProblems), { field: '', ...more }]
    },
    warnings: () => inOrder(warnings),
  }
}

/** One line per problem: `config.yml:3:5 auth.session_length: …`. */
export const problemLines = (file: string, problems: readonly Problem[]): string[] =>
  problems.map(({ line, column, field, message }) => {
    const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`
    return `${place} ${field === '' ? '' : `${field}: `}${message}`
  })
