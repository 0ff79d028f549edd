import type { AuditConfigProblems } from '../../audit/output/output.config.ts'
import type { AuthConfigProblems } from '../../auth/config/auth.config.ts'
import type { ProxyConfigProblems } from '../../auth/config/proxy.config.ts'
import type { CameraGroupsProblems } from '../../cameras/camera-groups.config.ts'
import type { CamerasConfigProblems } from '../../cameras/cameras.config.ts'
import type { EngineProblems } from '../../config/problem-codes.ts'
import type { NetworkingConfigProblems } from '../../http/networking.config.ts'
import type { StorageConfigProblems } from '../../object-storage/storage.config.ts'
import type { CodedMessage } from '../../shared/messages/coded-message.ts'
import type { TlsConfigProblems } from '../../tls/tls.config.ts'

/** All problems and warnings of a configuration: those of any section, of each section, and of two sections together. */
export interface ConfigProblems
  extends
    EngineProblems,
    NetworkingConfigProblems,
    TlsConfigProblems,
    AuthConfigProblems,
    ProxyConfigProblems,
    CamerasConfigProblems,
    CameraGroupsProblems,
    AuditConfigProblems,
    StorageConfigProblems {
  'host-prefix': null
  'unsupported-characters': null
}

export type ConfigProblem = CodedMessage<ConfigProblems>
