import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { notifySuccess } from '../../ui/notify.ts'
import { camerasQuery } from '../../cameras/queries.ts'
import { sendJson } from '../../api/api.ts'
import { messageOf } from '../../api/failure.ts'
import { loadOf } from '../../api/load.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import type { Camera, RoleView } from '../../../../server/src/api-types.ts'
import { Card } from '../../ui/Card.tsx'
import { LeaveGuard } from '../../ui/LeaveGuard.tsx'
import { formatList } from '../../ui/format-list.ts'
import { isOvertaken } from '../../cameras/camera-settings.ts'
import { useTitles } from '../../cameras/useTitles.ts'
import { ListSkeleton } from '../../ui/ListSkeleton.tsx'
import { CameraSwitches } from './CameraSwitches.tsx'
import { difference, sameCameras } from '../../users/role-cameras.ts'
import { rolesQuery } from '../../users/roles.ts'

/** Shows and changes the cameras that a role can see. */
export function CamerasOfRole({ role }: { role: RoleView }) {
  const texts = useTexts('roles')
  const cameras = loadOf(useQuery(camerasQuery))
  // The cameras that the choice is based on; a new round restarts it from the role's current cameras.
  const [began, setBegan] = useState({ cameras: role.cameras, round: 0 })
  const begin = useCallback((cameras: string[]) => setBegan(({ round }) => ({ cameras, round: round + 1 })), [])

  return (
    <Card title={texts.roles.camerasTitle} lead={texts.roles.camerasLead}>
      {cameras.state === 'loading' && <ListSkeleton />}
      {cameras.state === 'failed' && (
        <Group role="alert">
          <Text>{messageOf(cameras.error, texts)}</Text>
          <Button variant="default" onClick={cameras.again}>
            {texts.tryAgain}
          </Button>
        </Group>
      )}
      <Withheld role={role} />
      {cameras.state === 'ready' && (
        <Choice key={began.round} role={role} began={began.cameras} cameras={cameras.value} begin={begin} />
      )}
    </Card>
  )
}

/** Cameras that the role lists but does not grant until an admin confirms (CAM-4). */
function Withheld({ role: { name, withheld = [] } }: { role: RoleView }) {
  const texts = useTexts('roles')
  const locale = useLocale()
  const titleOf = useTitles()
  const queries = useQueryClient()
  const confirm = useMutation({
    mutationFn: () => sendJson('POST /api/roles/:name/confirm', { name }, { cameras: withheld }),
    onSuccess: () => notifySuccess(texts.roles.confirmed({ role: name })),
    onSettled: () => queries.invalidateQueries({ queryKey: rolesQuery.queryKey }),
  })
  if (withheld.length === 0) return null
  const names = formatList(withheld.map(titleOf), locale, texts.roles.more)

  return (
    <Alert color="yellow" title={texts.roles.withheldTitle}>
      <Text mb="sm">{texts.roles.withheldBody({ cameras: names })}</Text>
      <Button variant="default" loading={confirm.isPending} onClick={() => confirm.mutate()}>
        {texts.roles.confirm({ cameras: names })}
      </Button>
      {confirm.error && (
        <Text role="alert" mt="sm">
          {messageOf(confirm.error, texts)}
        </Text>
      )}
    </Alert>
  )
}

const changeCameras = (name: string, before: string[], cameras: string[]) =>
  sendJson('PUT /api/roles/:name', { name }, { cameras, expected: { cameras: before } })

interface ChoiceProps {
  /** The role in its current state. */
  readonly role: RoleView
  /** The role's cameras when the choice began. */
  readonly began: readonly string[]
  readonly cameras: readonly Camera[]
  readonly begin: (cameras: string[]) => void
}

function Choice({ role, began, cameras, begin }: ChoiceProps) {
  const texts = useTexts('roles')
  const locale = useLocale()
  const titleOf = useTitles()
  const queries = useQueryClient()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(began))
  const [isEmpty, setIsEmpty] = useState(false)
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: () => changeCameras(role.name, [...began], [...chosen]),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: rolesQuery.queryKey })
      notifySuccess(texts.roles.saved({ name: role.name }))
      begin([...chosen])
    },
    onError: async (error) => {
      if (isOvertaken(error)) await queries.invalidateQueries({ queryKey: rolesQuery.queryKey })
    },
  })
  const save = () => {
    setIsEmpty(chosen.size === 0)
    if (chosen.size === 0) reset()
    else mutate()
  }
  // If someone changed or deleted the role, the refreshed page shows it.
  const failure = error && !isOvertaken(error) ? messageOf(error, texts) : undefined
  const problem = isEmpty ? texts.roles.chooseOne : failure

  const { added, removed } = difference(began, [...chosen])
  const changed = added.length + removed.length > 0
  const overtaken = !sameCameras(began, role.cameras)
  const list = (names: readonly string[]) => formatList(names.map(titleOf), locale, texts.roles.more)

  // Without unsaved changes, the choice follows the role.
  const follows = overtaken && !changed && !isPending
  useEffect(() => {
    if (follows) begin(role.cameras)
  }, [follows, begin, role.cameras])

  return (
    <>
      {overtaken && changed && !isPending && (
        <Alert role="alert" color="yellow" title={texts.roles.changedTitle}>
          <Text mb="sm">{texts.roles.changedBody({ cameras: list(role.cameras) })}</Text>
          <Button variant="default" onClick={() => begin(role.cameras)}>
            {texts.roles.loadCurrent}
          </Button>
        </Alert>
      )}
      <LeaveGuard unsaved={changed && !isPending} of={role.name} />
      <CameraSwitches cameras={cameras} chosen={chosen} onChange={setChosen} />
      <div role="status">
        {role.users > 0 && added.length > 0 && (
          <Text size="sm">{texts.roles.gains({ count: role.users, cameras: list(added) })}</Text>
        )}
        {role.users > 0 && removed.length > 0 && (
          <Text size="sm">{texts.roles.loses({ count: role.users, cameras: list(removed) })}</Text>
        )}
      </div>
      {problem && (
        <Alert role="alert" color="red">
          {problem}
        </Alert>
      )}
      <Group>
        <Button loading={isPending} disabled={!changed || overtaken} onClick={save}>
          {texts.roles.save}
        </Button>
        {changed && !overtaken && (
          <Button variant="subtle" onClick={() => begin(role.cameras)}>
            {texts.roles.discard}
          </Button>
        )}
      </Group>
    </>
  )
}
