import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { usersQuery } from './people.ts'

/** The names of some users that hold what is typed. @param max how many of them */
export function useSuggestedUsers(typed: string, max: number): string[] {
  const [search] = useDebouncedValue(typed.trim(), 200)
  const { data } = useQuery({
    ...usersQuery({ search, max }),
    refetchInterval: false,
    placeholderData: keepPreviousData,
  })
  return data?.users.map(({ username }) => username) ?? []
}
