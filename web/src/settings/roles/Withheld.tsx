import { Alert, Button, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RoleResponse } from '../../../../server/src/api-types.ts'
import { sendJson } from '../../api/api.ts'
import { messageOf } from '../../api/failure.ts'
import { useTitles } from '../../cameras/useTitles.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { formatList } from '../../lib/format-list.ts'
import { notifySuccess } from '../../ui/feedback/notify.ts'
import { rolesQuery } from '../../users/roles.ts'

/** Cameras that the role lists but does not grant until an admin confirms (CAM-4). */
export function Withheld({ role: { name, withheld = [] } }: { role: RoleResponse }) {
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
