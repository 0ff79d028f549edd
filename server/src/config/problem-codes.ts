import type { RoleNameProblems } from '../access/role.ts'
import type { SourceProblems } from '../shared/camera-source.ts'
import type { NetworkProblems } from '../shared/networks.ts'
import type { CodedMessage } from '../shared/coded-message.ts'
import type { Constraint } from './constraint.ts'

/** All problems and warnings of a configuration. */
export interface ConfigProblems extends RoleNameProblems, SourceProblems, NetworkProblems {
  'not-utf8': null
  'control-character-in-file': null
  'no-keys': null
  'no-yaml': { readonly message: string }
  'yaml-tag': null
  'second-document': null
  'key-no-name': null
  'duplicate-key': { readonly key: string; readonly line: number }
  'unknown-key': { readonly key: string; readonly keys: readonly string[] }
  'unknown-key-meant': { readonly key: string; readonly meant: readonly string[] }
  'unknown-alias': null
  'repeats-too-much': { readonly max: number }
  'key-missing': { readonly allowed: readonly Constraint[] }
  /** `optional`: the key can be left out. */
  'value-empty': { readonly allowed: readonly Constraint[]; readonly optional?: true }
  'invalid-value': {
    /** The value as quoted; undefined for a table or a secret, which are never quoted. */
    readonly found?: string
    readonly allowed: readonly Constraint[]
    /** The value would be valid in quotes. */
    readonly quotes?: true
  }
  'list-empty': { readonly allowed: readonly Constraint[] }
  'unresolved-placeholder': { readonly names: readonly string[] }
  'placeholder-broken': null
  'placeholder-elsewhere': { readonly names: readonly string[]; readonly prefix: string }
  'placeholder-place': null
  'host-prefix': null
  'invalid-camera-name': null
  'mask-corners': null
  'mask-corner': null
  'no-motion-detection': null
  'unknown-camera': { readonly camera: string }
  'no-sign-for-all': null
  'differs-in-case': { readonly other: string }
  'same-port': { readonly port: number }
  'requires-key': { readonly other: string }
  'unknown-role': { readonly role: string; readonly roles: readonly string[] }
  'no-header-name': { readonly header: string }
  'header-not-trusted': { readonly header: string; readonly file: string }
  'invalid-secret': null
  'secret-short': { readonly min: number }
  'proxy-unproven': null
  'no-user-header': null
  'separator-control': null
  'trusts-everyone': null
}

export type ConfigProblem = CodedMessage<ConfigProblems>
