import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useFocusBack } from '../ui/useFocusBack.ts'
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
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  useFocusBack()

  const save = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      await renameExport(one, name.trim())
      await queries.invalidateQueries({ queryKey: queryKeys.exports.all })
      onClose()
    } catch (error) {
      setProblem(messageOf(error, texts))
    } finally {
      setBusy(false)
    }
  }

  return (
    <FormDialog opened title={exports.renameTitle} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
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
          {problem !== undefined && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.cancel}
            </Button>
            <Button type="submit" loading={busy}>
              {exports.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  )
}
