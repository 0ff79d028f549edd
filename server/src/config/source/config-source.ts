import { createHash } from 'node:crypto'

/** A stored text; a missing one has no content. */
export interface StoredText {
  readonly bytes: Buffer | undefined
  readonly etag: string
  /** Number of the version, if the texts are numbered. */
  readonly number?: number
}

/** A change of the configuration. `Within`: the transaction of a source that has one. */
export interface ConfigChange<Within = never> {
  /** Who changes it, as shown in the list of versions. */
  readonly author: string
  /** What has to be done before the text is written, once it is known to be valid. It can be done more than once. */
  readonly beforeWrite?: () => Promise<void>
  /** Makes further changes, committed together with the text or not at all. Only of a source that has transactions. */
  readonly alongside?: (within: Within) => Promise<void>
}

export interface SourceWatcher {
  /**
   * Called when the text may have changed.
   *
   * @param read reads the text, or returns undefined if it is being changed again
   * @param onActive called if the text is active, whether it was before or not, and before anything else is applied
   * @returns false if it has to be called again, because the text could not be applied
   */
  readonly found: (read: () => Promise<StoredText | undefined>, onActive?: () => void) => Promise<boolean>
  readonly failed: (error: unknown) => void
}

/** Where the text of the configuration is: `config.yml`, or a document in the database that several instances share. */
export interface ConfigSource<C, Within = never> {
  /** Name in messages. */
  readonly name: string
  read(): Promise<StoredText>
  /** The text; if it can't be read, the last one that was, if the source keeps it. */
  latest(): Promise<StoredText>
  /** The text, once nothing is writing it. */
  settled(): Promise<StoredText>
  /** Earlier texts, the latest first: if the current one is invalid at the start, one of them is used. */
  earlier(): AsyncIterable<StoredText>
  /**
   * Replaces a text by a valid one.
   *
   * @param next the configuration of the new text
   * @throws ServiceError `precondition-failed` if it is no longer the current text, or `unavailable`
   */
  replace(before: StoredText, text: string, next: C, change: ConfigChange<Within>): Promise<StoredText>
  /** Whether the text that was found last is the current one, as far as is known of all but the last few seconds. */
  isCurrent(): boolean
  /** Restores the text before a replacement that could not be applied here, if no one else uses it. */
  undo(before: StoredText): Promise<void>
  /** @returns a function that stops watching */
  watch(watcher: SourceWatcher): () => Promise<void>
}

/** A strong validator: equal only for equal bytes. */
export const etagOf = (bytes: string | Buffer | undefined): string =>
  `"${createHash('sha256')
    .update(bytes ?? '')
    .digest('base64url')}"`
