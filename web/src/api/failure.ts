import { ApiError } from './api.ts'
import type { ProblemResponse } from '../../../server/src/api-types.ts'
import { translateMessage } from './translate-message.ts'
import type { ServiceTexts } from '../i18n/sentences.ts'
import { joinSentences } from '../i18n/join-sentences.ts'
import type { Texts } from '../i18n/texts.ts'

/** The message for a failure: a translation of the service's message, else the page's own words. */
export function messageOf(error: unknown, texts: Texts): string {
  const { failure } = texts
  if (!(error instanceof ApiError)) return failure.unexpected
  const { code, reason, problems = [], goTo, status } = error.failure
  const message =
    translateMessage('refusals', reason, texts) ??
    (problems.length > 0
      ? joinSentences(
          problems.map((problem) => problemText(problem, texts)),
          texts,
        )
      : undefined) ??
    (code === undefined ? undefined : translateMessage('refusals', { code }, texts)) ??
    error.message
  if (message) return message
  if (goTo) return failure.elsewhere
  if (status === 0) return failure.network
  if (status === 429) return failure.busy
  return isUnavailable(status) ? failure.unavailable : failure.unexpected
}

const isUnavailable = (status: number): boolean => [502, 503, 504].includes(status)

/** The URL that a proxy keeps redirecting to, shown as a link; undefined for other failures. */
export const goToOf = (error: unknown): URL | undefined => (error instanceof ApiError ? error.failure.goTo : undefined)

/** What is shown instead of something that could not be loaded. */
export function headedMessageOf(error: unknown, texts: Texts): { readonly title: string; readonly body: string } {
  if (error instanceof ApiError && error.failure.status === 0) return texts.offline
  const { title, unavailable, unavailableTitle, later } = texts.failure
  const body = messageOf(error, texts)
  if (!(error instanceof ApiError && isUnavailable(error.failure.status))) return { title, body }
  return { title: unavailableTitle, body: body === unavailable ? later : body }
}

/** The service's problem with one field of the request, if any. */
export function problemOf(error: unknown, field: string, texts: Texts & Partial<ServiceTexts>): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  // Fields arrive as `password`, `body.password` or `/password`.
  const found = error.failure.problems?.find((problem) => problem.field.split(/[./]/).at(-1) === field)
  return found && problemText(found, texts)
}

/** A problem as a whole sentence. */
export const problemText = (problem: ProblemResponse, texts: Texts & Partial<ServiceTexts>): string =>
  // Backticks, as in the docs, mean nothing on a page.
  (
    translateMessage('problems', problem, texts) ??
    translateMessage('configProblems', problem, texts) ??
    problem.message
  ).replaceAll('`', '')
