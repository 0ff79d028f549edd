import { Type } from 'typebox'
import { cameraActions } from '../../access/action.ts'
import { weekdays, type WeeklyHours } from '../../access/hours.ts'
import { defaultActions, roleNamePattern, roleNameProblem, type RoleNameProblems } from '../../access/role.ts'
import { wrongText } from '../../config/schema/describe-constraint.ts'
import { nullableKey, section, table, type ConfigOf } from '../../config/key.ts'
import { configProblem, type EngineProblems } from '../../config/problem-codes.ts'
import { shownText, type Path, type SectionReport } from '../../config/problem-collector.ts'
import { nearest } from '../../config/schema/nearest.ts'
import { allCameras } from '../../shared/camera/camera-name.ts'
import { type CodedMessage, fieldProblem } from '../../shared/messages/coded-message.ts'
import { momentOf } from '../../shared/time/moment.ts'
import { minutesOf } from './time-of-day.ts'

const Hours = section(
  {
    days: Type.Array(Type.Enum(weekdays), {
      default: [...weekdays],
      minItems: 1,
      description: 'The days on which the hours begin.',
    }),
    from: Type.String({ default: '00:00', allowed: 'time-of-day', description: 'Time at which the hours begin.' }),
    to: Type.String({
      default: '24:00',
      allowed: 'time-of-day',
      description: 'Time at which the hours end. If it is before `from`: on the next day.',
    }),
  },
  { description: 'Hours of a week.' },
)

const Moment = (description: string) =>
  nullableKey(Type.String({ allowed: 'moment' }), { description, allowed: 'moment' })

/** What a role gives, in full. */
export const RoleKeys = section(
  {
    cameras: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      allowed: 'role-cameras',
      description: 'Names of cameras, and `group:<name>` for a group of `camera_groups`; or `[all]`.',
      examples: [['yard', 'group:entrances']],
    }),
    allow: Type.Array(Type.Enum(cameraActions), {
      default: [...defaultActions],
      minItems: 1,
      description:
        'What the role can do with its cameras. `live`: live video and snapshots. `audio`: audio in any video. `history`: play recordings. `review`: review items. `export`: create and see exports. `download`: save video as a file. `share`: create links. `delete`: delete recordings and review items.',
    }),
    history_days: nullableKey(Type.Number({ exclusiveMinimum: 0 }), {
      description: 'How many days back the role can see recorded video. Default: no limit.',
    }),
    hours: Type.Array(Hours, {
      default: [],
      description: 'When the role allows anything, in `time_zone`. Default: always.',
      examples: [[{ days: ['mon', 'fri'], from: '07:00', to: '19:00' }]],
    }),
    valid_from: Moment('Time before which the role allows nothing.'),
    valid_until: Moment('Time from which the role allows nothing.'),
  },
  { description: 'A role.' },
)

export type RoleKeys = ConfigOf<typeof RoleKeys>

/** A role that is not limited, without its cameras. */
export const newRoleKeys: RoleKeys = {
  cameras: [],
  allow: defaultActions,
  history_days: null,
  hours: [],
  valid_from: null,
  valid_until: null,
}

export const RolesConfig = table(
  Type.Union([Type.Array(Type.String({ minLength: 1 }), { minItems: 1, allowed: 'cameras' }), RoleKeys]),
  {
    names: roleNamePattern,
    wrongName: (name) => ({ problem: fieldProblem('invalid-role-name'), shown: name }),
    description:
      'Custom roles by name (letters, digits, `.`, `_`), each a list of the cameras it can see, or a map that also says what it can do with them and when. `admin` and `viewer` always exist and see all cameras. If several roles match a proxy user, the first listed role wins.',
    examples: [
      { neighbor: ['side_yard'] },
      { guard: { cameras: ['group:entrances'], allow: ['live'], hours: [{ from: '22:00', to: '06:00' }] } },
    ],
  },
)

/** A custom role as it is written: a list of camera names, or a map. */
export type RoleSetting = ConfigOf<typeof RolesConfig> extends ReadonlyMap<string, infer Setting> ? Setting : never

export interface RolesConfigProblems extends RoleNameProblems {
  'differs-in-case': { readonly other: string }
  'no-camera-wildcard': null
  'unknown-camera': { readonly camera: string }
  'unknown-camera-group': { readonly group: string; readonly meant?: string }
  'only-empty-camera-groups': null
  'all-cameras-alone': null
  'no-hours-between': null
  'ends-before-start': null
}

/** Whether a role is written as a list: all of its entries are names of cameras. */
export const isList = (setting: RoleSetting): setting is readonly string[] => Array.isArray(setting)

export const groupPrefix = 'group:'

/** Whether an entry of a map's `cameras` names a camera, not a group or all cameras. */
export const isNameOfCamera = (entry: string): boolean => entry !== allCameras && !entry.startsWith(groupPrefix)

/** What the checks of the roles need of the other sections. */
export interface RoleContext {
  readonly cameras: Pick<ReadonlyMap<string, unknown>, 'has'>
  readonly camera_groups: ReadonlyMap<string, readonly string[]>
}

type Report = SectionReport<CodedMessage<RolesConfigProblems & EngineProblems>>

export function checkRoles(roles: ReadonlyMap<string, RoleSetting>, around: RoleContext, report: Report): void {
  const lowerCaseNames = new Map<string, string>()
  for (const [name, setting] of roles) {
    const path = ['auth', 'roles', name]
    const invalidName = roleNameProblem(name)
    const differingInCase = lowerCaseNames.get(name.toLowerCase())
    if (invalidName !== undefined) report.problem(path, fieldProblem(invalidName))
    else if (differingInCase !== undefined) {
      report.problem(path, fieldProblem('differs-in-case', { other: shownText(differingInCase) }))
    } else lowerCaseNames.set(name.toLowerCase(), name)
    if (isList(setting)) checkList(setting, path, around, report)
    else checkKeys(setting, path, around, report)
  }
}

function checkList(cameras: readonly string[], path: Path, around: RoleContext, report: Report): void {
  if (cameras.some((camera) => camera === '*' || camera === allCameras)) {
    report.warning(path, configProblem('no-camera-wildcard'))
  }
  for (const [index, camera] of cameras.entries()) checkCamera(camera, path, index, around, report)
}

function checkKeys(role: RoleKeys, path: Path, around: RoleContext, report: Report): void {
  const { cameras, hours, valid_from: from, valid_until: until } = role
  const at = [...path, 'cameras']
  if (cameras.includes(allCameras) && cameras.length > 1) report.problem(at, configProblem('all-cameras-alone'))
  for (const [index, entry] of cameras.entries()) {
    if (entry.startsWith(groupPrefix)) checkGroup(entry.slice(groupPrefix.length), [...at, index], around, report)
    else if (entry !== allCameras) checkCamera(entry, at, index, around, report)
  }
  if (cameras.every((entry) => isEmptyGroup(entry, around))) {
    report.warning(at, configProblem('only-empty-camera-groups'))
  }
  for (const [index, each] of hours.entries()) checkHours(each, [...path, 'hours', index], report)
  for (const key of ['valid_from', 'valid_until'] as const) {
    const text = role[key]
    if (text !== null && momentOf(text) === undefined) {
      report.problem([...path, key], wrongText(text, RoleKeys.properties[key]))
    }
  }
  const [begins, ends] = [momentOf(from), momentOf(until)]
  if (begins !== undefined && ends !== undefined && ends <= begins) {
    report.problem([...path, 'valid_until'], configProblem('ends-before-start'))
  }
}

/** @param path that of the list */
function checkCamera(camera: string, path: Path, index: number, { cameras }: RoleContext, report: Report): void {
  if (cameras.has(camera)) return
  report.warning([...path, index], configProblem('unknown-camera', { camera: shownText(camera) }))
}

function checkGroup(name: string, path: Path, { camera_groups: groups }: RoleContext, report: Report): void {
  if (groups.has(name)) return
  const meant = nearest(name, [...groups.keys()])
  const group = shownText(name)
  report.problem(
    path,
    configProblem(
      'unknown-camera-group',
      { group, ...(meant !== undefined && { meant }) },
      { group, hasMeant: meant !== undefined, meant: meant ?? '' },
    ),
  )
}

const isEmptyGroup = (entry: string, { camera_groups: groups }: RoleContext): boolean =>
  entry.startsWith(groupPrefix) && groups.get(entry.slice(groupPrefix.length))?.length === 0

function checkHours({ from, to }: ConfigOf<typeof Hours>, path: Path, report: Report): void {
  for (const [key, text] of Object.entries({ from, to })) {
    if (minutesOf(text) === undefined) report.problem([...path, key], wrongText(text, Hours.properties.from))
  }
  if (minutesOf(from) === minutesOf(to)) report.problem([...path, 'to'], configProblem('no-hours-between'))
}

/** The hours with their times in minutes. */
export const hoursOf = ({ hours }: Pick<RoleKeys, 'hours'>): WeeklyHours[] =>
  hours.map(({ days, from, to }) => ({ days, from: minutesOf(from) ?? 0, to: minutesOf(to) ?? 0 }))
