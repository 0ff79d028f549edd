import type { RoleNameProblems } from '../../../server/src/access/role.ts'
import type { TwinProblems } from '../../../server/src/users/roles.routes.ts'
import type { UserProblems } from '../../../server/src/users/users.routes.ts'
import type { MaskedSourceProblems } from '../../../server/src/config/camera-settings.routes.ts'
import type { ConfigProblems } from '../../../server/src/config/problem-codes.ts'
import type { ExportMisfits } from '../../../server/src/exports/new-export.ts'
import type { ExportProblems } from '../../../server/src/exports/problem.ts'
import type { Misfits } from '../../../server/src/http/validation.ts'
import type { HeaderRules } from '../../../server/src/auth/proxy/proxy-headers.ts'
import type { StreamProblems } from '../../../server/src/media/ffmpeg/reason.ts'
import type { RecordingProblems } from '../../../server/src/recordings/pause.ts'
import type { SourceProblems } from '../../../server/src/shared/camera-source.ts'
import type { ErrorCode, Reasons } from '../../../server/src/shared/errors.ts'

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
