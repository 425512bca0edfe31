/** The way back: what an action renamed or moved gets its former paths, also after many files. */
import { post } from './client.ts'
import { refusal } from './error.ts'

/** `action`: as `act` answers it. Rejects with the first refusal; what could go back has gone back. */
export async function takeBack(action: string | null): Promise<void> {
  if (action === null) return
  const { abgelehnt } = await post('verlauf/zuruecknehmen', { body: { aktion: action } })
  if (abgelehnt[0]) throw refusal(abgelehnt[0])
}
