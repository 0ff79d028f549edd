import {
  IconActivity,
  IconDatabase,
  IconDeviceCctv,
  IconFileCode,
  IconFileText,
  IconKey,
  IconTimelineEvent,
  IconUserSearch,
  IconUsers,
} from '@tabler/icons-react'
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Section } from '../../settings/section.ts'

/** In menu order. */
export const sections: readonly Section[] = [
  {
    path: 'users',
    icon: IconUsers,
    label: ({ settings }) => settings.sections.users,
    action: 'users.manage',
    texts: ['account', 'roles', 'users'],
    page: lazyRouteComponent(() => import('../../settings/users/UsersPage.tsx'), 'UsersPage'),
    itemPage: lazyRouteComponent(() => import('../../settings/users/UserPage.tsx'), 'UserPage'),
  },
  {
    path: 'roles',
    icon: IconKey,
    label: ({ settings }) => settings.sections.roles,
    action: 'roles.manage',
    texts: ['config-problems', 'roles', 'users'],
    page: lazyRouteComponent(() => import('../../settings/roles/RolesPage.tsx'), 'RolesPage'),
    itemPage: lazyRouteComponent(() => import('../../settings/roles/RolePage.tsx'), 'RolePage'),
  },
  {
    path: 'access',
    icon: IconUserSearch,
    label: ({ settings }) => settings.sections.access,
    action: 'access.try',
    texts: ['access', 'roles', 'users'],
    page: lazyRouteComponent(() => import('../../settings/access/AccessPage.tsx'), 'AccessPage'),
  },
  {
    path: 'cameras',
    icon: IconDeviceCctv,
    label: ({ settings }) => settings.sections.cameras,
    action: 'cameras.manage',
    texts: ['cameras', 'config-problems', 'live', 'motion', 'reasons', 'roles'],
    page: lazyRouteComponent(() => import('../../settings/cameras/CamerasPage.tsx'), 'CamerasPage'),
    itemPage: lazyRouteComponent(() => import('../../settings/motion/MotionPage.tsx'), 'MotionPage'),
  },
  {
    path: 'storage',
    icon: IconDatabase,
    label: ({ settings }) => settings.sections.storage,
    action: 'system.read',
    texts: ['cameras', 'config-problems', 'live', 'reasons', 'roles', 'storage', 'system'],
    page: lazyRouteComponent(() => import('../../settings/storage/StoragePage.tsx'), 'StoragePage'),
  },
  {
    path: 'config',
    icon: IconFileCode,
    label: ({ settings }) => settings.sections.config,
    action: 'config.manage',
    texts: ['config', 'config-problems', 'users'],
    page: lazyRouteComponent(() => import('../../settings/config/ConfigPage.tsx'), 'ConfigPage'),
  },
  {
    path: 'audit',
    icon: IconTimelineEvent,
    label: ({ settings }) => settings.sections.audit,
    action: 'audit.read',
    texts: ['audit', 'reasons'],
    page: lazyRouteComponent(() => import('../../settings/audit/AuditPage.tsx'), 'AuditPage'),
  },
  {
    path: 'log',
    icon: IconFileText,
    label: ({ settings }) => settings.sections.log,
    action: 'log.read',
    texts: ['log'],
    page: lazyRouteComponent(() => import('../../settings/log/LogPage.tsx'), 'LogPage'),
  },
  {
    path: 'system',
    icon: IconActivity,
    label: ({ settings }) => settings.sections.system,
    action: 'system.read',
    texts: ['reasons', 'system'],
    page: lazyRouteComponent(() => import('../../settings/system/SystemPage.tsx'), 'SystemPage'),
  },
]

export const sectionAt = (path: string): Section | undefined => sections.find((section) => section.path === path)

/** The sections that the given actions allow. */
export const sectionsFor = (actions: readonly string[]): readonly Section[] =>
  sections.filter(({ action }) => actions.includes(action))
