/** How many files and bytes were stored with a token, and how much of its quota that is. */
import type { TokenOnWire } from '../../../../src/contract/accounts/tokens.ts'
import { useTexts } from '../../language/language.tsx'
import { UsageBar } from '../../ui/charts/usage-bar.tsx'
import { words } from './words.ts'

export function TokenUsage({ token }: { token: TokenOnWire }) {
  const { w, format } = useTexts(words)
  const { name, bytes, dateien, kontingent } = token
  const filesText = w.filesCounted(dateien, format.number(dateien))
  const storedText = dateien === 0 ? w.nothingStored : w.stored(format.bytes(bytes), filesText)
  if (kontingent === null) return w.noQuota(storedText)
  return (
    <UsageBar label={w.quotaBar(name)} usedAmount={bytes} limit={kontingent} warning={w.quotaNear}>
      {w.quota(format.bytes(kontingent), storedText)}
    </UsageBar>
  )
}
