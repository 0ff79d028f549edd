import type { AuditLine } from '../../../../server/src/audit/audit.routes.ts'
import { say } from '../../shared/say.ts'
import type { Texts } from '../../shared/texts/texts.ts'
import { wordsFor } from '../../shared/words.ts'

/** The detail of an entry in words: of what did not work the failure, else what it says of the action. */
export function detailOf({ action, result, detail = '' }: AuditLine, texts: Texts): string {
  if (result !== 'ok') return say('refusals', { code: detail }, texts) ?? detail
  const details: Readonly<Record<string, Readonly<Record<string, string>>>> = texts.audit.details
  return Object.hasOwn(details, action) ? wordsFor(details[action] ?? {}, detail) : detail
}
