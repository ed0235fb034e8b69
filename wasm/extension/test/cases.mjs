// The extension in a real browser, with a server that counts what reaches it.
//
//	HOSTS=8 npm test	a smoke: fewer listed hosts
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { fileOf, listed, pause, Session, variant } from "./browser.mjs";

const many = Number(process.env.HOSTS ?? 56);

export function cases(name) {
  describe(name, () => {
    let session;
    const go = (url) => session.go(url);
    before(async () => (session = await Session.start(name, { idle: 400 })));
    after(() => session.close());

    /** Goes to listed hosts, of which none may be asked for anything. */
    async function blocks(hosts, beforeEach = () => {}) {
      session.server.take();
      for (const host of hosts) {
        await beforeEach();
        assert.equal(await go(`http://${host}/path?query`), "blocked", host);
      }
      assert.equal(session.server.take((asked) => hosts.includes(asked)), 0, "requests that reached listed hosts");
    }

    test(`${many} listed hosts, background at work`, () => blocks(listed(many)));

    test(`${many} listed hosts, background stopped before each`, () => blocks(listed(many), () => session.stop()));

    test("a listed parent blocks what is below it, in every way to write it", async () => {
      const [host] = listed(1);
      await blocks([`www.${host}`, `a.b.c.${host}`]);
      for (const written of [`http://${host.toUpperCase()}/`, `http://${host}./`, `http://u:p@${host}:8080/`, `http://www.${host.replace("0", "%30")}/`]) assert.equal(await go(written), "blocked", written);
      assert.equal(session.server.take((asked) => asked.includes(host)), 0);
    });

    test("hosts in no list pass, whole and as they were asked for", async () => {
      for (const url of ["http://fine.example/a%20b?c=`d'|*^&e#f=g%20h", "http://fine.example:8080/", "http://127.0.0.1/", "http://[::1]/", `http://long.example/?${"x".repeat(100_000)}`]) {
        assert.equal(decodeURI(await go(url)), decodeURI(new URL(url).href.replace("`", name === "chromium" ? "%60" : "`")), url.slice(0, 99));
      }
      // A star stands for anything in the rules of Chromium.
      for (const user of ["user:pass", "us*er:pass"]) assert.equal(await go(`http://${user}@named.example/x`), "http://named.example/x");
    });

    test("what redirects to a listed host is blocked", async () => {
      const [, host] = listed(many);
      session.server.answers.set("moved.example/", (_, response) => response.writeHead(302, { location: `http://${host}/` }).end());
      await go("http://moved.example/other");
      session.server.take();
      assert.equal(await go("http://moved.example/"), "blocked");
      assert.equal(session.server.take((asked) => asked === host), 0);
    });

    test("a form that is sent to a listed host is blocked, and to another one it is not lost", async () => {
      const [, , host] = listed(many);
      for (const action of [host, "shop.example"]) {
        session.server.answers.set("form.example/", (_, response) => response.writeHead(200, { "content-type": "text/html" }).end(`<form method="post" action="http://${action}/"><input name="a" value="b"><button id="send">Send</button></form>`));
        await go("http://form.example/");
        session.server.take();
        let led = await session.click("#send");
        if (action === host) {
          assert.equal(led, "blocked");
          assert.equal(session.server.take((asked) => asked === host), 0);
          continue;
        }
        if (name === "chromium") {
          assert.equal(led, "not sent");
          await session.tab.goBack();
          led = await session.click("#send");
        }
        assert.equal(led, "http://shop.example/");
        assert.match(await session.tab.evaluate(() => document.body.innerText), /^POST/);
      }
    });

    test("goes on once", async () => {
      const [, , , host] = listed(many);
      assert.equal(await go(`http://${host}/`), "blocked");
      assert.match(await session.tab.evaluate(() => document.body.innerText), /Throwaway mail services says yes to this name.*1 in 1,000/s);
      assert.equal(await session.click("#once"), `http://${host}/`);
      await pause(200);
      await blocks([host]);
    });

    if (name === "chromium") {
      test("the gate is passed once for a host, and leaves no trace in the history", async () => {
        let gates = 0;
        const seen = (frame) => (gates += frame.url().includes("/gate.html") ? 1 : 0);
        session.tab.on("framenavigated", seen);
        await go("http://from.example/");
        assert.equal(gates, 1);
        for (const path of ["a", "b", "c"]) await go(`http://once.example/${path}`);
        assert.equal(gates, 2);
        // A parent that passed says nothing of what is below it.
        await go("http://below.once.example/");
        assert.equal(gates, 3);
        for (const path of ["c", "b", "a"]) {
          await session.tab.goBack();
          assert.equal(session.tab.url(), `http://once.example/${path}`);
        }
        session.tab.off("framenavigated", seen);
        assert.equal(gates, 3);
      });

      test("a page of the web cannot use the gate", async () => {
        session.server.answers.set("framer.example/", (_, response) => response.writeHead(200, { "content-type": "text/html" }).end(`<iframe src="${session.origin}gate.html#http://framed.example/"></iframe><iframe src="${session.origin}blocked.html"></iframe>`));
        await go("http://framer.example/");
        await pause(300);
        assert.equal(session.server.take((asked) => asked === "framed.example"), 0);
        await session.tab.goto(`${session.origin}gate.html#javascript:document.title=1`);
        await pause(300);
        assert.match(session.tab.url(), /gate\.html/);
      });

      test("the oldest hosts are forgotten when there are many", async () => {
        const page = await session.open("popup");
        const rules = () => page.evaluate(async () => (await chrome.declarativeNetRequest.getSessionRules()).length);
        // As if 998 more hosts had come.
        await page.evaluate(async () => chrome.storage.session.set({ hosts: 998 }));
        for (const n of [998, 999, 0, 1]) assert.match(await go(`http://host${n}.many.example/`), /^http/);
        const atEnd = await rules();
        await page.evaluate(async () => chrome.storage.session.set({ hosts: 1998 }));
        for (const n of [10, 11, 12]) assert.match(await go(`http://host${n}.many.example/`), /^http/);
        assert.equal(await rules(), atEnd);
        await page.close();
      });

      test("no URL is too long to be checked", async () => {
        const [host] = listed(1);
        for (const room of [40, 60, 100, 200, 1000]) {
          session.server.take();
          const path = "x".repeat(2 * 1024 * 1024 - `http://${host}/`.length - room);
          await session.tab.goto("about:blank");
          await session.tab.evaluate((url) => void (location.href = url), `http://${host}/${path}`).catch(() => {});
          await pause(700);
          assert.equal(session.server.take((asked) => asked === host), 0, `${room} less than the browser takes`);
        }
      });
    }

    test("a list from a file blocks, also a host that had passed", async () => {
      assert.equal(await go("http://sub.second.example/"), "http://sub.second.example/");
      assert.match(await session.add(fileOf(["second.example"], "second.tamis")), /second from a file Entries 1/);
      await blocks(["sub.second.example", "second.example"]);
      assert.match(await session.tab.evaluate(() => document.body.innerText), /The list second says yes/);
      await blocks(listed(2));
    });

    test("what is no list is refused", async () => {
      const text = await session.add(new URL("browser.mjs", import.meta.url).pathname);
      assert.match(text, /no valid list/);
      assert.doesNotMatch(text, /browser from a file/);
    });

    test("an update takes effect for hosts that had passed; one that fails leaves the list as it was", async () => {
      const old = listed(many)[5];
      const fresh = readFileSync(fileOf(["fresh.example"]));
      let body = fresh.subarray(0, fresh.length - 1), status = 200;
      session.server.answers.set("lists.example/list.tamis", (_, response) => response.writeHead(status, { "content-type": "application/octet-stream" }).end(body));

      assert.equal(await go("http://fresh.example/"), "http://fresh.example/");
      const cut = await session.update("http://lists.example/list.tamis");
      assert.match(cut, /failed, and the old list is in use.*length/);
      body = Buffer.from(fresh);
      body[body.length - 12] ^= 1;
      assert.match(await session.update("http://lists.example/list.tamis"), /failed, and the old list is in use.*checksum/);
      status = 503;
      assert.match(await session.update("http://lists.example/list.tamis"), /failed, and the old list is in use.*503/);
      assert.match(await session.popup(), /Entries 121,\d+.*failed/);
      await blocks([old]);
      assert.equal(await go("http://fresh.example/"), "http://fresh.example/");

      status = 200;
      body = fresh;
      const done = await session.update("http://lists.example/list.tamis");
      assert.match(done, /Entries 1 /);
      assert.doesNotMatch(done, /failed/);
      await blocks(["www.fresh.example"]);
      assert.equal(await go(`http://${old}/`), `http://${old}/`);
    });

    test("after a restart, from the first page on", async () => {
      await session.restart();
      await blocks(["fresh.example", "second.example"]);
      assert.equal(await go("http://fine.example/"), "http://fine.example/");
      session.server.take();
      // Chromium opens the page of its command line before or while its extensions start: either its
      // server is asked, and the page then closed, or the tab stays empty.
      await session.restart("http://fresh.example/first");
      if (name === "chromium") assert.ok((await session.settled("blocked.html")) || session.server.take((asked) => asked === "fresh.example") === 0);
      else assert.equal(session.server.take((asked) => asked === "fresh.example"), 0);
    });

    test("what was kept of the list of the package is damaged: that of the package is used", async () => {
      await session.page("popup", (page) =>
        page.evaluate(async () => {
          const db = await new Promise((done) => (indexedDB.open("lists").onsuccess = ({ target }) => done(target.result)));
          const store = db.transaction("lists", "readwrite").objectStore("lists");
          const entry = await new Promise((done) => (store.get("packaged").onsuccess = ({ target }) => done(target.result)));
          entry.bytes[entry.bytes.length - 12] ^= 1;
          await new Promise((done) => (store.put(entry).onsuccess = done));
          db.close();
          await chrome.runtime.sendMessage("changed");
        }),
      );
      assert.match(await session.popup(), /cannot be read, and that of the package is in use/);
      await blocks(listed(3));
    });

    test("the popup counts", async () => {
      const text = await session.popup();
      const blocked = Number(/Blocked ([\d,]+)/.exec(text)[1].replace(",", ""));
      assert.ok(blocked > 2 * many, text);
      assert.match(text, name === "chromium" ? /Gate \d+ ms/ : /A check (under )?[\d.]+ ms/);
    });
  });

  test(`${name}: WebAssembly refused`, async () => {
    const session = await Session.start(name, { extension: variant(name, (manifest) => (manifest.content_security_policy.extension_pages = manifest.content_security_policy.extension_pages.replace(" 'wasm-unsafe-eval'", ""))) });
    try {
      const hosts = listed(12);
      for (const host of hosts) assert.equal(await session.go(`http://www.${host}/`), "blocked", host);
      assert.equal(session.server.take((asked) => hosts.some((host) => asked.endsWith(host))), 0);
      assert.equal(await session.go("http://fine.example/"), "http://fine.example/");
      assert.match(await session.popup(), /JavaScript, as WebAssembly was refused/);
    } finally {
      await session.close();
    }
  });
}
