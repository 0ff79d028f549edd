import type {
  ApiTokenProblems,
  ConfigProblems,
  ErrorCode,
  ExportRequestProblems,
  ExportProblems,
  HeaderRules,
  MaskedSourceProblems,
  ValidationProblems,
  Reasons,
  RecordingProblems,
  RoleNameProblems,
  LinkProblems,
  ScreenProblems,
  SourceProblems,
  StreamProblems,
  CaseProblems,
  UserProblems,
} from '../../../server/src/api-types.ts'
import type { Texts } from './catalogs.ts'
import type { Adapters } from './message-values.ts'

/**
 * A text for each coded message of the service: a function of the message's values, or of those that `Adapters` turns
 * them into. A text can leave all values out.
 */
type Sentences<Codes, Adapters> = {
  readonly [Code in keyof Codes]: Code extends keyof Adapters
    ? (values: Adapted<Adapters[Code]>) => string
    : Codes[Code] extends null
      ? string
      : string | ((values: Codes[Code]) => string)
}
type Adapted<Adapter> = Adapter extends (...values: never) => infer Values ? Values : never

interface Problems
  extends
    ApiTokenProblems,
    ValidationProblems,
    MaskedSourceProblems,
    UserProblems,
    RoleNameProblems,
    CaseProblems,
    LinkProblems,
    ScreenProblems,
    SourceProblems,
    ConfigProblems,
    ExportRequestProblems {
  'one-caller': null
  'user-or-others': null
  'ids-or-filter': null
  'no-cursor': null
  'no-time-zone': null
}

/** Problems in config.yml that no other response reports. */
type OnlyConfigProblems = Omit<ConfigProblems, keyof RoleNameProblems | keyof SourceProblems | keyof CaseProblems>

interface Rules extends HeaderRules {
  'given-by-admin': null
  'user-disabled': null
  'user-expired': null
  'user-not-accepted': null
  'chosen-for-screen': null
  'screen-over': null
  'within-token': null
  'token-over': null
  'given-by-provider': null
  'within-link': null
  'link-over': null
}

/** The coded messages of the service, by the section of the texts that has their translations. */
interface Codes {
  readonly refusals: Readonly<Record<ErrorCode | 'internal', null>> & Reasons
  readonly problems: Omit<Problems, keyof OnlyConfigProblems>
  readonly configProblems: OnlyConfigProblems
  readonly cameraReasons: StreamProblems
  readonly recordingReasons: RecordingProblems
  readonly exportReasons: ExportProblems
  readonly accessRules: Rules
}

type Sections = Pick<Texts<'access' | 'config-problems' | 'exports' | 'reasons'>, keyof Codes>

/** Compiles only if each code has a text with the right parameters, and each text has a code. */
type Complete<
  Section extends {
    readonly [Name in keyof Codes]: Sentences<Codes[Name], Name extends keyof Adapters ? Adapters[Name] : object>
  } & {
    readonly [Name in keyof Codes]: { readonly [Code in Exclude<keyof Sections[Name], keyof Codes[Name]>]: never }
  },
> = Section

/** The translations of the service's messages. */
export type ServiceTexts = Complete<Sections>
