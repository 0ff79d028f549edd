import type { User } from '../users/user.ts'
import type { MfaConfig } from './config/mfa.config.ts'

/** Whether a user has to set up a second factor before anything else (MFA-2). */
export const mustEnroll = (
  { provider, hasFactor, role }: Pick<User, 'provider' | 'hasFactor' | 'role'>,
  { required_for: roles }: Pick<MfaConfig, 'required_for'>,
): boolean => !provider && !hasFactor && roles.includes(role)
