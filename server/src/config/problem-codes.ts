import { codedMessages, type CodedMessage } from '../shared/messages/coded-message.ts'
import { english } from '../shared/messages/english.gen.ts'
import type { Constraint } from './constraint.ts'

/** Problems that any section can have: of the file, its keys, its values and its placeholders. */
export interface EngineProblems {
  'not-utf8': null
  'control-character-in-file': null
  'no-keys': null
  'invalid-yaml': { readonly message: string }
  'yaml-tag': null
  'second-document': null
  'invalid-key': null
  'duplicate-key': { readonly key: string; readonly line: number }
  'unknown-key': { readonly key: string; readonly keys: readonly string[] }
  'unknown-key-meant': { readonly key: string; readonly meant: readonly string[] }
  'machine-section': { readonly section: string }
  'unknown-alias': null
  'too-many-repeats': { readonly max: number }
  'too-many-problems': { readonly max: number }
  'key-missing': { readonly allowed: readonly Constraint[] }
  /** `optional`: the key can be left out. */
  'value-empty': { readonly allowed: readonly Constraint[]; readonly optional?: true }
  'invalid-value': {
    /** The value as quoted; undefined for a table or a secret, which are never quoted. */
    readonly found?: string
    /** What a value is that isn't quoted. */
    readonly shape?: 'list' | 'map' | 'text' | 'empty' | 'null'
    readonly allowed: readonly Constraint[]
    /** The allowed value that is most likely meant. */
    readonly meant?: string
    /** The value would be valid in quotes. */
    readonly quotes?: true
  }
  'list-empty': { readonly allowed: readonly Constraint[] }
  'unresolved-placeholder': { readonly names: readonly string[] }
  /** `error`: the system's error code, such as `EACCES`. */
  'unreadable-credential': { readonly file: string; readonly error: string }
  'incomplete-placeholder': null
  'placeholder-not-allowed': { readonly names: readonly string[]; readonly prefix: string }
  'placeholder-place': null
}

export type ValueShape = NonNullable<EngineProblems['invalid-value']['shape']>

export type EngineProblem = CodedMessage<EngineProblems>

/** A problem with the English text of its code. */
export const configProblem = codedMessages(english.configProblems)
