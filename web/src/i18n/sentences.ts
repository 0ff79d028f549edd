import type {
  ConfigProblems,
  ErrorCode,
  ExportMisfits,
  ExportProblems,
  HeaderRules,
  MaskedSourceProblems,
  Misfits,
  Reasons,
  RecordingProblems,
  RoleNameProblems,
  SourceProblems,
  StreamProblems,
  TwinProblems,
  UserProblems,
} from '../../../server/src/api-types.ts'

/** A text for each coded message of the service; a function if the message has values. */
type Sentences<Codes> = {
  readonly [Code in keyof Codes]: Codes[Code] extends null ? string : (values: Codes[Code]) => string
}

interface Problems
  extends
    Misfits,
    MaskedSourceProblems,
    UserProblems,
    RoleNameProblems,
    TwinProblems,
    SourceProblems,
    ConfigProblems,
    ExportMisfits {
  'user-or-headers': null
  'user-or-others': null
  'ids-or-filter': null
}

/** Problems in config.yml that no other response reports. */
export type ConfigTexts = Sentences<
  Omit<ConfigProblems, keyof RoleNameProblems | keyof SourceProblems | keyof TwinProblems>
>

interface Rules extends HeaderRules {
  'given-by-admin': null
}

/** The service's messages in one language. */
export interface ServiceTexts {
  readonly refusals: Sentences<Readonly<Record<ErrorCode | 'internal', null>> & Reasons>
  readonly problems: Sentences<Omit<Problems, keyof ConfigTexts>>
  readonly cameras: Sentences<StreamProblems>
  /** Continues a sentence after a colon. */
  readonly recordings: Sentences<RecordingProblems>
  /** Reasons why an export failed. */
  readonly exports: Sentences<ExportProblems>
  readonly rules: Sentences<Rules>
}
