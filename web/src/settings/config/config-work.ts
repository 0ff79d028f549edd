import type { ConfigCheck } from '../../../../server/src/api-types.ts'
import type { ConfigText } from './config-file.ts'

/** The text in the editor. */
export interface ConfigWork {
  /** The version of the file that the text is based on. */
  readonly base: ConfigText
  /** What the editor began with. */
  readonly first: string
  readonly text: string
  /** A new number mounts a new editor. */
  readonly round: number
  /** The file changed elsewhere, and the editor took the newer version. */
  readonly followed: boolean
}

export type ConfigWorkEvent =
  | { readonly type: 'type'; readonly text: string }
  /** The file has another version. Unsaved changes are left alone. */
  | { readonly type: 'file'; readonly file: ConfigText }
  /** Starts over with a text that is based on this version. */
  | { readonly type: 'start'; readonly file: ConfigText; readonly text: string }
  /** This text was saved; anything typed since stays. */
  | { readonly type: 'saved'; readonly text: string }
  /** The file as it was read after saving `text`. */
  | { readonly type: 'read'; readonly file: ConfigText; readonly text: string }

export const workOn = (file: ConfigText): ConfigWork => ({
  base: file,
  first: file.text,
  text: file.text,
  round: 0,
  followed: false,
})

export const isUnsaved = ({ text, base }: ConfigWork): boolean => text !== base.text

export function afterWork(work: ConfigWork, event: ConfigWorkEvent): ConfigWork {
  switch (event.type) {
    case 'type':
      return { ...work, text: event.text }
    case 'file':
      // If the text is the same, the editor stays and keeps the cursor.
      if (event.file.text === work.text) return { ...work, base: event.file }
      return isUnsaved(work) ? work : { ...workOn(event.file), round: work.round + 1, followed: true }
    case 'start':
      return { ...workOn(event.file), first: event.text, text: event.text, round: work.round + 1 }
    case 'saved':
      return { ...work, base: { ...work.base, text: event.text } }
    case 'read':
      return event.file.text === event.text ? { ...work, base: event.file } : work
  }
}

/** The result to show. A new installation's file has only comments: that is a problem for a save, not for the file itself. */
export const shownCheck = (check: ConfigCheck, text: string, saved: string): ConfigCheck =>
  text === saved ? { ...check, problems: check.problems.filter(({ code }) => code !== 'no-keys') } : check
