/**
 * Stores the id of the pending second step of signing in, so that a reload of the page does not ask for the
 * password again.
 */
const STORAGE_KEY = 'fundus-anmeldeschritt'

export const readPendingStep = (): string | null => sessionStorage.getItem(STORAGE_KEY)

export function storePendingStep(stepId: string | null): void {
  if (stepId === null) sessionStorage.removeItem(STORAGE_KEY)
  else sessionStorage.setItem(STORAGE_KEY, stepId)
}
