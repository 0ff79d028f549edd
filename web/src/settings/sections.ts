import {
  IconActivity,
  IconDeviceCctv,
  IconFileCode,
  IconFileText,
  IconKey,
  IconTimelineEvent,
  IconUserSearch,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'
import { lazyRouteComponent, type AsyncRouteComponent } from '@tanstack/react-router'
import type { Texts } from '../shared/texts/texts.ts'

/** One part of the settings: its page at `/settings/<path>`, and, where it has many of something, a page for each. */
export interface Section {
  readonly path: keyof Texts['settings']['sections']
  readonly icon: TablerIcon
  readonly label: (texts: Texts) => string
  /** Who may not do this finds neither the page nor its entry. */
  readonly action: string
  readonly page: AsyncRouteComponent<object>
  /** At `/settings/<path>/<item>`. */
  readonly itemPage?: AsyncRouteComponent<ItemParts>
}

export interface ItemParts {
  /** Its name, as it stands in the address. */
  readonly item: string
}

/** In the order of the menu. */
export const sections: readonly Section[] = [
  {
    path: 'users',
    icon: IconUsers,
    label: ({ settings }) => settings.sections.users,
    action: 'users.manage',
    page: lazyRouteComponent(() => import('./users/UsersPage.tsx'), 'UsersPage'),
    itemPage: lazyRouteComponent(() => import('./users/UserPage.tsx'), 'UserPage'),
  },
  {
    path: 'roles',
    icon: IconKey,
    label: ({ settings }) => settings.sections.roles,
    action: 'roles.manage',
    page: lazyRouteComponent(() => import('./roles/RolesPage.tsx'), 'RolesPage'),
    itemPage: lazyRouteComponent(() => import('./roles/RolePage.tsx'), 'RolePage'),
  },
  {
    path: 'access',
    icon: IconUserSearch,
    label: ({ settings }) => settings.sections.access,
    action: 'access.try',
    page: lazyRouteComponent(() => import('./access/AccessPage.tsx'), 'AccessPage'),
  },
  {
    path: 'cameras',
    icon: IconDeviceCctv,
    label: ({ settings }) => settings.sections.cameras,
    action: 'cameras.manage',
    page: lazyRouteComponent(() => import('./cameras/CamerasPage.tsx'), 'CamerasPage'),
  },
  {
    path: 'config',
    icon: IconFileCode,
    label: ({ settings }) => settings.sections.config,
    action: 'config.manage',
    page: lazyRouteComponent(() => import('./config/ConfigPage.tsx'), 'ConfigPage'),
  },
  {
    path: 'audit',
    icon: IconTimelineEvent,
    label: ({ settings }) => settings.sections.audit,
    action: 'audit.read',
    page: lazyRouteComponent(() => import('./audit/AuditPage.tsx'), 'AuditPage'),
  },
  {
    path: 'log',
    icon: IconFileText,
    label: ({ settings }) => settings.sections.log,
    action: 'log.read',
    page: lazyRouteComponent(() => import('./log/LogPage.tsx'), 'LogPage'),
  },
  {
    path: 'system',
    icon: IconActivity,
    label: ({ settings }) => settings.sections.system,
    action: 'system.read',
    page: lazyRouteComponent(() => import('./system/SystemPage.tsx'), 'SystemPage'),
  },
]

export const sectionAt = (path: string): Section | undefined => sections.find((section) => section.path === path)

/** What somebody who may do `actions` finds in the settings. */
export const sectionsFor = (actions: readonly string[]): readonly Section[] =>
  sections.filter(({ action }) => actions.includes(action))
