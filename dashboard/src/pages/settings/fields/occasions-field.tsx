/** Switches for the occasions of messages, from the list that the service uses. */
import { Group, Stack, Switch } from '@mantine/core'
import { knownOccasions, OCCASIONS, type Occasion } from '../../../../../src/contract/service/occasions.ts'
import type { SettingsAnswer } from '../../../api/routes.ts'
import { useWords } from '../../../language/language.tsx'
import { SettingRow } from '../../../ui/forms/setting-row.tsx'
import { setDraft, useDrafts } from '../drafts.ts'
import classes from '../settings.module.css'
import { explanations, settingWords } from '../words.ts'
import { ResetButton } from './reset-button.tsx'
import { occasionWords } from './words.ts'

const NAME = 'WEBHOOK_ANLAESSE'

export function OccasionsField({ settings }: { settings: SettingsAnswer }) {
  const label = useWords(settingWords)[NAME]
  const explanation = useWords(explanations)[NAME]
  const names = useWords(occasionWords)
  const on = (useDrafts()[NAME] ?? settings[NAME].wert) as readonly Occasion[]
  const turn = (occasion: Occasion, wanted: boolean) =>
    setDraft(NAME, knownOccasions(wanted ? [...on, occasion] : on.filter(each => each !== occasion)))
  return (
    <SettingRow label={label} description={explanation} source={settings[NAME].quelle}>
      <Group gap={4} wrap="nowrap" align="flex-start" justify="space-between">
        <Stack gap="sm" role="group" aria-label={label}>
          {OCCASIONS.map(occasion => (
            <Switch
              key={occasion}
              label={names[occasion]}
              checked={on.includes(occasion)}
              onChange={event => turn(occasion, event.currentTarget.checked)}
            />
          ))}
        </Stack>
        <div className={classes.corner}>
          <ResetButton name={NAME} settings={settings} />
        </div>
      </Group>
    </SettingRow>
  )
}
