// Asks the library of custom resource definitions about rules of schemas (a JSON object a line): what is wrong with the definition, and what the
// rules say to values. To build: a module that requires k8s.io/apiextensions-apiserver at the release, this file in it, `go build`.
// `../record.ts` runs it.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"regexp"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	celmodel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/warning"
)

type value struct {
	Value json.RawMessage
	Old   json.RawMessage
}

type asked struct {
	Schema json.RawMessage
	Values []value
}

var scheme = runtime.NewScheme()

// Each program has another name for the type of self.
var selfType = regexp.MustCompile(`selfType\d+`)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func texts(errs field.ErrorList) []string {
	list := []string{}
	for _, err := range errs {
		list = append(list, selfType.ReplaceAllString(err.Error(), "selfType1"))
	}
	return list
}

func decode(raw json.RawMessage) any {
	if raw == nil {
		return nil
	}
	var value any
	must(utiljson.Unmarshal(raw, &value))
	return value
}

type warnings struct{ texts []string }

func (w *warnings) AddWarning(agent, text string) { w.texts = append(w.texts, text) }

func main() {
	install.Install(scheme)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<24), 1<<24)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for in.Scan() {
		out.Encode(one(in.Bytes()))
	}
}

func one(line []byte) map[string]any {
	var q asked
	must(json.Unmarshal(line, &q))
	var props v1.JSONSchemaProps
	must(json.Unmarshal(q.Schema, &props))
	crd := &v1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "things.a.example.com"},
		Spec: v1.CustomResourceDefinitionSpec{
			Group: "a.example.com", Scope: "Namespaced",
			Names:    v1.CustomResourceDefinitionNames{Plural: "things", Singular: "thing", Kind: "Thing", ListKind: "ThingList"},
			Versions: []v1.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true, Schema: &v1.CustomResourceValidation{OpenAPIV3Schema: &props}}},
		},
	}
	scheme.Default(crd)
	internal := &apiextensions.CustomResourceDefinition{}
	must(scheme.Convert(crd, internal, nil))
	internal.Status.StoredVersions = []string{"v1"}
	faults := validation.ValidateCustomResourceDefinition(context.TODO(), internal)
	answer := map[string]any{"faults": texts(faults)}
	var inner apiextensions.JSONSchemaProps
	must(v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, &inner, nil))
	s, err := schema.NewStructural(&inner)
	must(err)
	validator := cel.NewValidator(s, true, celconfig.PerCallLimit)
	said := []any{}
	for _, v := range q.Values {
		recorder := &warnings{texts: []string{}}
		ctx := warning.WithWarningRecorder(context.TODO(), recorder)
		options := []cel.Option{}
		value, old := decode(v.Value), decode(v.Old)
		if old != nil {
			options = append(options, cel.WithRatcheting(common.NewCorrelatedObject(value, old, &celmodel.Structural{Structural: s})))
		}
		errs, left := validator.Validate(ctx, nil, s, value, old, celconfig.RuntimeCELCostBudget, options...)
		said = append(said, map[string]any{"faults": texts(errs), "warnings": recorder.texts, "left": left})
	}
	answer["values"] = said
	return answer
}
