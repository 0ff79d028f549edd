import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { RoleResponse } from '../../../../server/src/api-types.ts'
import { failureAmong, loadOf } from '../../api/load.ts'
import { cameraGroupsQuery, camerasQuery } from '../../cameras/queries.ts'
import { useTexts } from '../../i18n/texts.ts'
import { Card } from '../../ui/Card.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { keysOf, type RoleKeys } from '../../users/role-keys.ts'
import { FailedPart } from '../../ui/feedback/FailedPart.tsx'
import { RoleForm } from './RoleForm.tsx'
import { Withheld } from './Withheld.tsx'

/** Shows and changes what a role gives. */
export function RoleEditor({ role }: { role: RoleResponse }) {
  const texts = useTexts('roles', 'grants')
  const cameras = loadOf(useQuery(camerasQuery))
  const groups = loadOf(useQuery(cameraGroupsQuery))
  // What the edit is based on; a new round restarts it from what the role gives now.
  const [began, setBegan] = useState(() => ({ keys: keysOf(role), round: 0 }))
  const begin = useCallback((keys: RoleKeys) => setBegan(({ round }) => ({ keys, round: round + 1 })), [])
  const rebase = (keys: RoleKeys) => setBegan(({ round }) => ({ keys, round }))
  const failed = failureAmong(cameras, groups)

  return (
    <>
      <Withheld role={role} />
      {cameras.state === 'ready' && groups.state === 'ready' ? (
        <RoleForm
          key={began.round}
          role={role}
          began={began.keys}
          cameras={cameras.value}
          groups={groups.value}
          begin={begin}
          rebase={rebase}
        />
      ) : (
        <Card title={texts.roles.camerasTitle} lead={texts.roles.camerasLead}>
          {failed ? <FailedPart {...failed} /> : <ListSkeleton />}
        </Card>
      )}
    </>
  )
}
