/** Which files are shown: by kind and by token. */
import { NativeSelect, Stack } from '@mantine/core'
import { IconFilter, IconFilterFilled } from '@tabler/icons-react'
import { KINDS } from '../../../../src/contract/paths/kinds.ts'
import { useGet } from '../../api/use-get.ts'
import { useWords } from '../../language/language.tsx'
import { may } from '../../state/rights.ts'
import { kindsWords } from '../../ui/words.ts'
import { isFiltered } from '../listing/search.ts'
import { words } from '../words.ts'
import { Tool } from './tool.tsx'
import { useChange } from './use-change.ts'

export function FilterControl() {
  const w = useWords(words)
  const kinds = useWords(kindsWords)
  const { search, change } = useChange()
  const isOn = isFiltered(search)
  return (
    <Tool icon={isOn ? IconFilterFilled : IconFilter} label={w.filter} active={isOn}>
      {() => (
        <Stack gap="sm">
          <NativeSelect
            label={w.kind}
            value={search.art ?? ''}
            onChange={event => change({ art: KINDS.find(kind => kind === event.currentTarget.value) })}
            data={[
              { value: '', label: w.kindAll },
              ...KINDS.map(kind => ({ value: kind, label: kinds[kind] })),
            ]}
          />
          <TokenFilter token={search.token} onChange={token => change({ token })} />
        </Stack>
      )}
    </Tool>
  )
}

/** Hidden while there are no tokens. */
function TokenFilter({ token, onChange }: { token: string; onChange(token: string): void }) {
  const w = useWords(words)
  const { data: tokens = [] } = useGet('tokens', { enabled: may('betreiber') })
  if (tokens.length === 0 && token === '') return null
  return (
    <NativeSelect
      label={w.token}
      value={token}
      onChange={event => onChange(event.currentTarget.value)}
      data={[{ value: '', label: w.tokenAll }, ...tokens.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  )
}
