import type { Identity } from '../access/identity.ts'
import type { AnyCodedMessage } from '../shared/messages/coded-message.ts'

/** A caller as the access preview sees them. */
export interface PreviewedCaller {
  /** `unauthenticated`: they would be refused. */
  readonly identity: Identity
  /** The rule that gave the identity its access, or the reason why it would be refused. */
  readonly reason: AnyCodedMessage
}

/** The callers that an admin can preview by name or id. */
export interface PreviewedCallers {
  /** @param at Unix milliseconds @returns undefined if the user does not exist */
  user(name: string, at: number): Promise<PreviewedCaller | undefined>
  /** @param at Unix milliseconds @returns undefined if the API token does not exist */
  token(id: string, at: number): Promise<PreviewedCaller | undefined>
  /** @param at Unix milliseconds @returns undefined if the screen does not exist */
  screen(id: string, at: number): Promise<PreviewedCaller | undefined>
  /** The viewers of a share link. @param at Unix milliseconds @returns undefined if the link does not exist */
  link(id: string, at: number): Promise<PreviewedCaller | undefined>
}
