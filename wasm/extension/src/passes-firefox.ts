// Firefox: which host may pass once in which tab. Kept for the session, because the
// background may be stopped between the click and the navigation.
const key = (tab: number) => `pass${tab}`;

export async function passOnce(url: string, tab: number): Promise<void> {
  await chrome.storage.session.set({ [key(tab)]: new URL(url).host });
}

export async function endPass(tab: number): Promise<void> {
  await chrome.storage.session.remove(key(tab));
}

export async function mayPass(url: string, tab: number): Promise<boolean> {
  return (await chrome.storage.session.get(key(tab)))[key(tab)] === new URL(url).host;
}
