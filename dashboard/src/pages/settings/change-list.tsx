/** A list of settings to change, each with its old and new value. Secrets are masked. */
import { Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { isSecretSetting } from '../../../../src/contract/service/secret-settings.ts'
import { useWords } from '../../language/language.tsx'
import type { DraftChange, SettingDraft, SizeDraft } from './drafts.ts'
import { occasionWords } from './fields/words.ts'
import classes from './settings.module.css'
import { choiceText, choiceWords, settingWords, words } from './words.ts'

/**
 * With `showsReset`, an empty new value is shown as a reset to the environment or the default, which is what
 * saving it does.
 */
export function ChangeList({
  changes,
  showsReset = false,
}: {
  changes: readonly DraftChange[]
  showsReset?: boolean
}) {
  const w = useWords(words)
  const settingNames = useWords(settingWords)
  const draftText = useDraftText()
  return (
    <ul className={classes.changes}>
      {changes.map(({ name, from, to }) => (
        <li key={name}>
          <Text component="span" size="sm" fw={500}>
            {settingNames[name]}
          </Text>
          <span className={classes.pair}>
            {from !== null && <del>{draftText(name, from, w.emptyValue)}</del>}
            {from !== null && <IconArrowRight size={14} aria-label="→" />}
            <ins>
              {isSecretSetting(name)
                ? '••••••'
                : draftText(name, to, showsReset ? w.backToDefault : w.emptyValue)}
            </ins>
          </span>
        </li>
      ))}
    </ul>
  )
}

function useDraftText(): (name: string, draft: SettingDraft, emptyText: string) => string {
  const w = useWords(words)
  const occasionNames = useWords(occasionWords)
  const choiceLabels = useWords(choiceWords)
  return (name, draft, emptyText) => {
    if (typeof draft === 'string')
      return draft.trim() === '' ? emptyText : choiceText(choiceLabels, name, draft.trim())
    if (draft.length === 0) return w.none
    if (isSizeList(name, draft)) return draft.map(sizeText).join(', ')
    const shownOccasions = draft.map(entry => (typeof entry === 'string' ? occasionNames[entry] : null))
    return shownOccasions.includes(null) ? w.rules(draft.length, draft.length) : shownOccasions.join(', ')
  }
}

const isSizeList = (name: string, draft: SettingDraft): draft is readonly SizeDraft[] =>
  name === 'BILDGROESSEN' && Array.isArray(draft)

const sizeText = ({ name, breite, hoehe }: SizeDraft) => `${name} ${breite ?? '–'} × ${hoehe ?? '–'}`
