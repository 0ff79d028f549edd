import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useFocusBack } from '../ui/useFocusBack.ts'
import { FormProblem } from '../ui/FormProblem.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import type { Export } from '../../../server/src/api-types.ts'
import { messageOf } from '../api/failure.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useTexts } from '../i18n/texts.ts'
import { renameExport } from './queries.ts'

/** Maximum characters of a name. */
const longest = 100

/** Renames an export. */
export function RenameExport({ one, onClose }: { one: Export; onClose: () => void }) {
  const texts = useTexts('exports')
  const { exports } = texts
  const queries = useQueryClient()
  const [name, setName] = useState(one.name)
  useFocusBack()
  const save = useMutation({
    mutationFn: async () => {
      await renameExport(one, name.trim())
      await queries.invalidateQueries({ queryKey: queryKeys.exports.all })
    },
    onSuccess: onClose,
  })

  return (
    <FormDialog opened title={exports.renameTitle} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Stack gap="lg">
          <TextInput
            label={exports.name}
            description={exports.nameHint}
            value={name}
            maxLength={longest}
            autoComplete="off"
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <FormProblem of={save.error ? messageOf(save.error, texts) : undefined} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.cancel}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {exports.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  )
}
