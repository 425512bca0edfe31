/** The tokens page: lists the tokens with their rights, and creates, changes and revokes them. */
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useGet } from '../../api/use-get.ts'
import { useWords } from '../../language/language.tsx'
import { ButtonWithIcon } from '../../ui/buttons.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useDialog } from '../../ui/forms/dialog.tsx'
import { PageHeader } from '../../ui/lists/page-header.tsx'
import { QueryResult } from '../../ui/query-result.tsx'
import { useNow } from '../../ui/relative-time.tsx'
import { RowsSkeleton } from '../../ui/skeletons.tsx'
import { type TokenDialogContent, TokenDialogs } from './dialogs.tsx'
import { TokenCard } from './token-card.tsx'
import classes from './tokens.module.css'
import { validityOf } from './validity.ts'
import { words } from './words.ts'

const CARD_HEIGHT = 208

export default function TokensPage() {
  const w = useWords(words)
  const now = useNow()
  const tokensQuery = useGet('tokens')
  const { data } = tokensQuery
  const dialog = useDialog<TokenDialogContent>()
  const expiredRank = (validUntil: number | null) => Number(validityOf(validUntil, now) === 'expired')
  // Expired tokens are listed last.
  const tokens = data?.toSorted((a, b) => expiredRank(a.gueltig_bis) - expiredRank(b.gueltig_bis)) ?? []
  const createButton = (
    <ButtonWithIcon
      icon={IconPlus}
      label={w.create}
      iconSize={18}
      onClick={() => dialog.open({ kind: 'new' })}
    />
  )
  return (
    <>
      <PageHeader title={w.tokens} description={w.description}>
        {tokens.length > 0 && createButton}
      </PageHeader>
      <QueryResult query={tokensQuery} skeleton={<RowsSkeleton rows={3} height={CARD_HEIGHT} />}>
        {() =>
          tokens.length === 0 && (
            <EmptyState icon={IconKey} title={w.empty} description={w.emptyHint}>
              {createButton}
            </EmptyState>
          )
        }
      </QueryResult>
      <ul className={classes.list} aria-label={w.tokens}>
        {tokens.map(token => (
          <TokenCard
            key={token.id}
            token={token}
            onEdit={() => dialog.open({ kind: 'edit', token })}
            onSamples={() => dialog.open({ kind: 'samples', token })}
            onWithdraw={() => dialog.open({ kind: 'withdraw', token })}
          />
        ))}
      </ul>
      <TokenDialogs dialog={dialog} />
    </>
  )
}
