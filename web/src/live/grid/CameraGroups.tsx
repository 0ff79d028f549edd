import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { Camera, CameraGroup } from '../../../../server/src/api-types.ts'
import { cameraGroupsQuery } from '../../cameras/queries.ts'
import { useTexts } from '../../i18n/texts.ts'
import classes from '../LivePage.module.css'
import { camerasOf } from '../search.ts'

export interface ShownGroup {
  readonly groups: readonly CameraGroup[]
  /** The name of the shown group; undefined: all cameras. */
  readonly group: string | undefined
  /** The cameras of the shown group. */
  readonly shown: readonly Camera[]
}

/** The group of cameras that the URL names. */
export function useShownGroup(cameras: readonly Camera[]): ShownGroup {
  const { group } = useSearch({ from: '/framed/' })
  const { data = [] } = useQuery(cameraGroupsQuery)
  // An admin gets groups without a camera too.
  const groups = data.filter(({ name }) => camerasOf(name, cameras, data).length > 0)
  const known = groups.some(({ name }) => name === group) ? group : undefined
  return { groups, group: known, shown: camerasOf(known, cameras, groups) }
}

/** Links to the groups of cameras, if there are any. */
export function CameraGroups({ groups, group }: Pick<ShownGroup, 'groups' | 'group'>) {
  const { live } = useTexts('live')
  if (groups.length === 0) return null
  return (
    <nav className={classes.groups} aria-label={live.groups}>
      {[undefined, ...groups.map(({ name }) => name)].map((name) => (
        <Button
          key={name ?? ''}
          size="xs"
          radius="xl"
          variant={name === group ? 'filled' : 'default'}
          {...(name === group && { 'aria-current': 'true' as const })}
          renderRoot={(props) => <Link {...props} to="/" search={name === undefined ? {} : { group: name }} replace />}
        >
          {name ?? live.everyGroup}
        </Button>
      ))}
    </nav>
  )
}
