package names_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/publicsuffix"
)

// JavaScript has the rules that Go has. Where this fails, take the release of tldts
// whose list is of the day of golang.org/x/net's, and run tools/suffixes.mjs.
func TestSuffixRules(t *testing.T) {
	source, err := os.ReadFile("../../wasm/js/src/rules.ts")
	if err != nil {
		t.Fatal(err)
	}
	rules := 0
	for _, section := range regexp.MustCompile(`(?s)export const (\w+)Rules =\n  "([^"]*)"`).FindAllStringSubmatch(string(source), -1) {
		icann := section[1] == "icann"
		var above []string // the labels that the next one stands left of
		below := ""
		for _, token := range regexp.MustCompile(`(!?)([a-z0-9-]+|\*)([(\[]?)|\)`).FindAllStringSubmatch(section[2], -1) {
			if token[0] == ")" {
				below, above = above[len(above)-1], above[:len(above)-1]
				continue
			}
			mark, label, open := token[1], token[2], token[3]
			name := strings.TrimSuffix(label+"."+below, ".")
			if open != "[" {
				rules++
				switch probe := strings.Replace("no-such."+name, "*", "star", 1); {
				case mark != "":
					if suffix, got := publicsuffix.PublicSuffix(name); suffix != below || got != icann {
						t.Errorf("%s of an exception is %s, %v", name, suffix, got)
					}
				default:
					if suffix, got := publicsuffix.PublicSuffix(probe); "no-such."+suffix != probe || got != icann {
						t.Errorf("%s has the suffix %s, %v", probe, suffix, got)
					}
				}
			}
			if open != "" {
				above = append(above, below)
				below = name
			}
		}
	}
	if rules < 10_000 {
		t.Errorf("%d rules", rules)
	}
}
