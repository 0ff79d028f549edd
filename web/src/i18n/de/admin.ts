import type { AdminTexts } from '../admin-texts.ts'
import { access } from './access.ts'
import { audit } from './audit.ts'
import { cameras } from './cameras.ts'
import { configProblems } from './config-problems.ts'
import { config } from './config.ts'
import { log } from './log.ts'
import { roles } from './roles.ts'
import { users } from './users.ts'

/** The texts that only the settings show, in German. */
export const admin: AdminTexts = { access, audit, cameras, config, log, roles, users, configProblems }
