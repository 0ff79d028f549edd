import { Autocomplete, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { camerasQuery, titleOf } from '../../cameras/queries.ts'
import { useTexts } from '../../i18n/texts.ts'
import { useSuggestedUsers } from '../../users/useSuggestedUsers.ts'
import { FoldedOnPhones } from '../../ui/forms/FoldedOnPhones.tsx'
import classes from './AuditPage.module.css'
import { viewingActions } from './detail.ts'
import { activeFilters } from './filter.ts'
import { PeriodFields, type FiltersProps } from './PeriodFields.tsx'

/** The filters of the list of entries. */
export function EntryFilters({ filter, onChoose, onType }: FiltersProps) {
  const { audit } = useTexts('audit')
  // Entries have names: those of several users with the same name are found together.
  const suggested = [...new Set(useSuggestedUsers(filter.user, 8).map(({ username }) => username))]
  const { data: cameras = [] } = useQuery(camerasQuery)
  // The URL can name a camera that doesn't exist anymore.
  const titles = new Map([
    ...(filter.camera ? [[filter.camera, filter.camera] as const] : []),
    ...cameras.map((camera) => [camera.name, titleOf(camera)] as const),
  ])
  // The URL can contain an action without a label.
  const actions = {
    ...(filter.action && { [filter.action]: filter.action }),
    [viewingActions.join()]: audit.viewing,
    ...audit.actions,
  }

  return (
    <div className={classes.filters} role="search">
      <FoldedOnPhones active={activeFilters(filter)}>
        <Autocomplete
          className={classes.user}
          label={audit.user}
          placeholder={audit.userHint}
          limit={8}
          maxLength={256}
          data={suggested}
          value={filter.user}
          onChange={(user) => onType({ ...filter, user })}
          autoComplete="off"
        />
        <NativeSelect
          label={audit.camera}
          value={filter.camera}
          onChange={(event) => onChoose({ ...filter, camera: event.currentTarget.value })}
          data={[{ value: '', label: audit.anyCamera }, ...[...titles].map(([value, label]) => ({ value, label }))]}
        />
        <NativeSelect
          label={audit.action}
          value={filter.action}
          onChange={(event) => onChoose({ ...filter, action: event.currentTarget.value })}
          data={[
            { value: '', label: audit.anyAction },
            ...Object.entries(actions).map(([value, label]) => ({ value, label })),
          ]}
        />
        <NativeSelect
          label={audit.result}
          value={filter.result}
          onChange={(event) => onChoose({ ...filter, result: event.currentTarget.value })}
          data={[
            { value: '', label: audit.anyResult },
            ...Object.entries(audit.results).map(([value, label]) => ({ value, label })),
          ]}
        />
        <PeriodFields filter={filter} onChoose={onChoose} onType={onType} />
      </FoldedOnPhones>
    </div>
  )
}
