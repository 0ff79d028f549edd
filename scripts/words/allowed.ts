/** A banned word that stays in one file. */
export interface Allowed {
  readonly file: string
  /** The text that can stay, wherever it occurs in the file; the banned word is in it. */
  readonly word: string
  readonly reason: string
}

const oldCode = 'The code before a rename.'

export const allowed: readonly Allowed[] = [
  { file: 'CHANGELOG.md', word: '`changed-meanwhile`', reason: oldCode },
  { file: 'CHANGELOG.md', word: '`cancelled`', reason: oldCode },
  { file: 'CHANGELOG.md', word: '`enrolment-required`', reason: oldCode },
  { file: 'CHANGELOG.md', word: '`trusts-everybody`', reason: oldCode },
  { file: 'docs/design/0021-texts.md', word: 'Lokalise', reason: 'The name of a product.' },
  { file: 'server/src/store/migrations/standard-names.ts', word: 'changed-meanwhile', reason: oldCode },
  { file: 'server/src/store/migrations.test.ts', word: '{"code":"cancelled"}', reason: oldCode },
]
