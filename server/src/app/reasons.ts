import type { AuthReasons } from '../auth/reasons.ts'
import type { CameraReasons } from '../cameras/reasons.ts'
import type { ClusterReasons } from '../cluster/reasons.ts'
import type { ConfigReasons } from '../config/reasons.ts'
import type { ExportReasons } from '../exports/reasons.ts'
import type { GateReasons } from '../gate/reasons.ts'
import type { MediaReasons } from '../media/reasons.ts'
import type { RecordingReasons } from '../recordings/reasons.ts'
import type { ReviewReasons } from '../review/reasons.ts'
import type { SystemReasons } from '../system/reasons.ts'
import type { UserReasons } from '../users/reasons.ts'
import type { SharedReasons } from '../shared/errors.ts'

/** The reasons of every feature's errors, with the values in their texts. */
export interface Reasons
  extends
    SharedReasons,
    AuthReasons,
    CameraReasons,
    ClusterReasons,
    ConfigReasons,
    ExportReasons,
    GateReasons,
    MediaReasons,
    RecordingReasons,
    ReviewReasons,
    SystemReasons,
    UserReasons {}
